/* SPDX-License-Identifier: MIT */
#include "certificate/coqfile.h"

#include <stdlib.h>
#include <string.h>

#include "certificate/certificate.h"
#include "certificate/document.h"
#include "io/digest.h"

#define PREFIX "sha256:"

static void digest_text(char digest[PBY_DIGEST_TEXT_SIZE], const char *text, size_t size)
{
    pby_digest found;
    pby_digest_bytes(&found, text, size);
    strcpy(digest, PREFIX);
    strcat(digest, found.sha256);
}

pby_status pby_coqfile_bind(char **out, const char *certificate, const char *theorem, pby_error *err)
{
    char digest[PBY_DIGEST_TEXT_SIZE];
    json_t *root = json_loads(certificate, JSON_REJECT_DUPLICATES, NULL);
    *out = NULL;
    if (json_object_get(root, "signature") != NULL) {
        json_decref(root);
        return pby_fail(err, PBY_BAD, "certificate: signed already, expected one without a signature");
    }
    digest_text(digest, theorem, strlen(theorem));
    pby_status status = root == NULL || json_object_set_new(root, "theorem", json_string(digest)) != 0
                            ? pby_no_memory(err)
                            : pby_document_seal(root, err);
    if (status == PBY_OK && (*out = pby_certificate_encode(root)) == NULL)
        status = pby_no_memory(err);
    json_decref(root);
    return status;
}

pby_status pby_coqfile_check(const pby_certificate *c, const char *text, size_t size, pby_error *err)
{
    char digest[PBY_DIGEST_TEXT_SIZE];
    digest_text(digest, text, size);
    return c->theorem[0] == '\0' || strcmp(c->theorem, digest) == 0
               ? PBY_OK
               : pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE,
                             "theorem: the file is not the one that was written with the certificate");
}

const char *pby_coqfile_digest(const pby_certificate *c)
{
    return c->theorem;
}

void pby_coqfile_set_compiled(pby_certificate *c)
{
    c->compiled = true;
}

bool pby_coqfile_is_compiled(const pby_certificate *c)
{
    return c->compiled;
}
