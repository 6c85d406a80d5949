/* SPDX-License-Identifier: MIT */
#include "cli/certified.h"

#include <mpfr.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "certificate/certificate.h"
#include "io/file.h"
#include "io/sole.h"
#include "number/scoped.h"
#include "probity/enclosure.h"
#include "probity/key.h"
#include "release/permission.h"

enum { PRECISION = 256 };

void pby_tell_certified(const char *what, const pby_certificate *c)
{
    char delta[PBY_DECIMAL_SIZE];
    const pby_question question = pby_certificate_question(c);
    if (question != PBY_ASK_DELTA) {
        fprintf(stderr, "probity: %s: %s at most %s, %s neighbours, %s\n", what,
                question == PBY_ASK_RHO     ? "rho"
                : question == PBY_ASK_RENYI ? "the Renyi divergence"
                                            : "mu",
                pby_certificate_divergence_hi(c), pby_neighbours_text(pby_certificate_neighbours(c)),
                pby_spec_text(pby_certificate_spec(c)));
        return;
    }
    PBY_MPFR(PRECISION, hi);
    mpfr_set_str(hi, pby_certificate_delta_hi(c), 10, MPFR_RNDU);
    pby_decimal(delta, hi, PBY_DIGITS_DEFAULT, false);
    /* 1e-06 is no binary number: rounded up twice it would be told as 1.00000001e-06, above its target */
    const char *const exact = pby_certificate_delta_hi(c);
    fprintf(stderr, "probity: %s: delta %s%s at epsilon %s, %s neighbours, %s\n", what,
            mpfr_zero_p(hi) ? "" : "at most ", strlen(exact) <= strlen(delta) ? exact : delta,
            pby_certificate_epsilon(c), pby_neighbours_text(pby_certificate_neighbours(c)),
            pby_spec_text(pby_certificate_spec(c)));
}

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
    return pby_fail(
        err, status == PBY_FAILED ? PBY_FAILED : PBY_BAD,
        "SPEC '%.100s': expected a certificate, as it is a file, and it is none that holds: %.200s", path,
        status != PBY_OK ? why.text : "its digest is another");
}

pby_status pby_operand_certified(pby_spec **out, pby_neighbours *relation, int operands, char **argv,
                                 pby_error *err)
{
    if (operands != 1 || !pby_permission_is_file(argv[0]))
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

pby_status pby_certified_sign(char **text, const char *path, pby_error *err)
{
    char *secret, *signed_text = NULL;
    size_t size;
    if (path == NULL)
        return PBY_OK;
    pby_status status = pby_file_read(&secret, &size, path, PBY_KEY_SIZE, err);
    if (status != PBY_OK)
        return status;
    if (pby_key_is_secret(secret))
        status = pby_sole_secret("--sign", path, err);
    else
        status = pby_refuse(err, "--sign", path, "a secret key, the file KEY of probity keygen -o KEY");
    if (status == PBY_OK)
        status = pby_certificate_sign(&signed_text, *text, strlen(*text), secret, err);
    sodium_memzero(secret, size);
    free(secret);
    if (status == PBY_OK) {
        free(*text);
        *text = signed_text;
    }
    return status;
}
