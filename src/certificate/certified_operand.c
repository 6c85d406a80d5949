/* SPDX-License-Identifier: MIT */
#include "certificate/certified_operand.h"

#include <stdlib.h>

#include "base/excerpt.h"
#include "base/status.h"
#include "certificate/certificate.h"
#include "io/file.h"

static pby_status read_certificate(pby_certificate **out, const char *path, pby_error *err)
{
    char *text = NULL;
    size_t size;
    bool whole = false;
    pby_error why = PBY_NO_ERROR;
    *out = NULL;
    pby_status status = pby_file_read(&text, &size, path, PBY_CERTIFICATE_SIZE_MAX, err);
    if (status != PBY_OK)
        return status;
    status = pby_certificate_read(out, &whole, text, size, &why);
    free(text);
    if (status == PBY_OK && whole)
        return PBY_OK;
    pby_certificate_free(*out);
    *out = NULL;
    return pby_fail(err, status == PBY_FAILED ? PBY_FAILED : PBY_BAD,
                    "SPEC '%s': expected a certificate, as it is a file, and it is none that holds: %.200s",
                    PBY_EXCERPT(path), status != PBY_OK ? why.text : "its digest is another");
}

pby_status pby_operand_certified(pby_spec **out, pby_neighbours *relation, int operands, char **argv,
                                 pby_error *err)
{
    if (operands != 1 || !pby_file_is_meant(argv[0]))
        return pby_spec_parse(out, (const char *const *)argv, (size_t)operands, err);
    pby_certificate *certificate;
    *out = NULL;
    pby_status status = read_certificate(&certificate, argv[0], err);
    if (status != PBY_OK)
        return status;
    const char *text = pby_spec_text(pby_certificate_spec(certificate));
    if (relation != NULL)
        *relation = pby_certificate_neighbours(certificate);
    status = pby_spec_parse(out, &text, 1, err);
    pby_certificate_free(certificate);
    return status;
}
