/* SPDX-License-Identifier: MIT */
#include "certificate/document.h"

#include <arb.h>
#include <flint/flint.h>
#include <gmp.h>
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "certificate/certificate.h"
#include "probity.h"

/* From FLINT 3 on Arb is a part of it. */
#if __FLINT_RELEASE >= 30000
#define VERSION_OF_ARB flint_version
#else
#define VERSION_OF_ARB arb_version
#endif

json_t *pby_document_tools(void)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s}", "arb", VERSION_OF_ARB, "flint", flint_version, "gmp",
                     gmp_version, "mpfr", mpfr_get_version(), "probity", pby_version());
}

pby_status pby_document_seal(json_t *root, pby_error *err)
{
    char digest[PBY_DIGEST_TEXT_SIZE];
    const pby_status status = root == NULL ? pby_no_memory(err) : pby_certificate_digest(digest, root, err);
    return status == PBY_OK ? pby_json_set(root, "digest", json_string(digest), err) : status;
}

static pby_status deny(pby_error *err, const char *why)
{
    return pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE, "%s", why);
}

static pby_status check(const json_t *root, const char *text, size_t length, pby_error *err)
{
    char digest[PBY_DIGEST_TEXT_SIZE];
    char *again = pby_certificate_encode(root);
    if (again == NULL)
        return pby_no_memory(err);
    const bool same = strlen(again) == length && memcmp(again, text, length) == 0;
    free(again);
    if (!same)
        return deny(err, "not in canonical form");
    const pby_status status = pby_certificate_digest(digest, root, err);
    return status == PBY_OK && strcmp(pby_json_string(root, "digest"), digest) != 0
               ? deny(err, "digest: the file is not the one that was written")
               : status;
}

bool pby_document_has(const char *text, size_t length, const char *member, const char *value)
{
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    const bool has = strcmp(pby_json_string(root, member), value) == 0;
    json_decref(root);
    return has;
}

pby_status pby_document_read(json_t **out, const char *text, size_t length, pby_error *err)
{
    json_error_t why;
    *out = NULL;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why);
    if (root == NULL)
        return json_error_code(&why) == json_error_out_of_memory ? pby_no_memory(err) : deny(err, "not JSON");
    const pby_status status = json_is_object(root) ? check(root, text, length, err)
                                                   : deny(err, "not an object of JSON");
    if (status == PBY_OK)
        *out = root;
    else
        json_decref(root);
    return status;
}
