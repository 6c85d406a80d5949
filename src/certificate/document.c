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

/* 2.23.0, 6.2.1+dfsg, 0.1.0-rc1 */
static bool is_version(const char *text)
{
    static const char allowed[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.+~-";
    const size_t n = strlen(text);
    return n >= 1 && n <= 64 && text[0] >= '0' && text[0] <= '9' && strspn(text, allowed) == n;
}

pby_status pby_document_tools_check(const json_t *root, pby_error *err)
{
    const json_t *tools = json_object_get(root, "computed_with");
    pby_status status =
        pby_certificate_object(tools, "computed_with", pby_certificate_tools, PBY_CERTIFICATE_TOOLS, 0, err);
    for (size_t i = 0; i < PBY_CERTIFICATE_TOOLS && status == PBY_OK; i++) {
        const char *version;
        status = pby_certificate_string(&version, tools, pby_certificate_tools[i], err);
        if (status == PBY_OK && !is_version(version))
            status = pby_certificate_deny(err, "computed_with", version, "a version such as 1.2.3");
    }
    return status;
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

pby_status pby_document_read(json_t **out, const char *text, size_t length, pby_error *err)
{
    json_t *root;
    *out = NULL;
    PBY_TRY(pby_json_read(&root, text, length, err));
    if (root == NULL)
        return deny(err, "not JSON");
    const pby_status status = json_is_object(root) ? check(root, text, length, err)
                                                   : deny(err, "not an object of JSON");
    if (status == PBY_OK)
        *out = root;
    else
        json_decref(root);
    return status;
}
