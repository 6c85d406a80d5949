/* SPDX-License-Identifier: MIT */
/* The one spelling of a certificate, and its digest. */
#include <sodium.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "certificate/certificate.h"

const char *const pby_certificate_tools[PBY_CERTIFICATE_TOOLS] = {"arb", "flint", "gmp", "mpfr", "probity"};

char *pby_certificate_encode(const json_t *root)
{
    const size_t flags = JSON_SORT_KEYS | JSON_INDENT(2) | JSON_ENSURE_ASCII;
    char *text = pby_json_text(json_incref((json_t *)(uintptr_t)root), flags), *line = NULL;
    if (text != NULL && asprintf(&line, "%s\n", text) < 0)
        line = NULL;
    free(text);
    return line;
}

char *pby_certificate_without(const json_t *root, const char *const *fields)
{
    json_t *rest = json_copy((json_t *)(uintptr_t)root);
    for (size_t i = 0; rest != NULL && fields[i] != NULL; i++)
        json_object_del(rest, fields[i]);
    char *text = rest == NULL ? NULL : pby_certificate_encode(rest);
    json_decref(rest);
    return text;
}

pby_status pby_certificate_digest(char digest[PBY_DIGEST_TEXT_SIZE], const json_t *root, pby_error *err)
{
    static const char *const fields[] = {"digest", "signature", NULL};
    unsigned char hash[crypto_hash_sha256_BYTES];
    char *text = pby_certificate_without(root, fields);
    if (text == NULL)
        return pby_no_memory(err);
    crypto_hash_sha256(hash, (const unsigned char *)text, strlen(text));
    free(text);
    memcpy(digest, "sha256:", 7);
    sodium_bin2hex(digest + 7, PBY_DIGEST_TEXT_SIZE - 7, hash, sizeof hash);
    return PBY_OK;
}
