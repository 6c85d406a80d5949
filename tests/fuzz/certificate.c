/* SPDX-License-Identifier: MIT */
/* Reading a certificate never crashes, and what is read has one spelling. (The recomputation is left
 * out: its cost is that of the mechanism that the input names.) Few bytes are in canonical form and have
 * their own digest, so a text that is JSON is also tried in that form, sealed again. */
#include "certificate/certificate.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "certificate/document.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const char *text, size_t size)
{
    pby_error err = PBY_NO_ERROR;
    pby_certificate *c;
    bool digest_holds;
    const pby_status status = pby_certificate_read(&c, &digest_holds, text, size, &err);
    if ((status == PBY_OK) != (c != NULL) || (status != PBY_OK && err.status != status) ||
        strchr(err.text, '\n') != NULL)
        abort();
    pby_certificate_free(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check((const char *)data, size);
    json_t *root = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(root) && pby_document_seal(root, NULL) == PBY_OK) {
        char *text = pby_certificate_encode(root);
        if (text != NULL)
            check(text, strlen(text));
        free(text);
    }
    json_decref(root);
    return 0;
}
