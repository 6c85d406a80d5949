/* SPDX-License-Identifier: MIT */
/* A dossier is refused on one line, or it holds and has a page. Few bytes have their own digests, so those of
 * its results and its own are computed again. Audits of many outputs are left out: their bounds take long. */
#include "audit/dossier/dossier.h"

#include <stdint.h>
#include <string.h>

#include "audit/dossier/dossier_page.h"
#include "certificate/document.h"
#include "tests/fuzz/must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { OUTPUTS_MOST = 4096 };

static bool is_small(const json_t *dossier)
{
    const json_t *audits = json_object_get(json_object_get(dossier, "plan"), "audits");
    for (size_t i = 0; i < json_array_size(audits); i++)
        if (json_integer_value(json_object_get(json_array_get(audits, i), "outputs")) > OUTPUTS_MOST)
            return false;
    return true;
}

static void seal(json_t *dossier)
{
    const json_t *results = json_object_get(dossier, "results");
    for (size_t i = 0; i < json_array_size(results); i++)
        if (json_is_object(json_array_get(results, i)))
            must(pby_document_seal(json_array_get(results, i), NULL) == PBY_OK, "memory");
    must(pby_document_seal(dossier, NULL) == PBY_OK, "memory");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pby_error err = PBY_NO_ERROR;
    json_t *dossier = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    if (!json_is_object(dossier) || !is_small(dossier)) {
        json_decref(dossier);
        return 0;
    }
    seal(dossier);
    if (pby_dossier_check(dossier, &err) == PBY_OK) {
        char *page = NULL;
        must(pby_dossier_page(&page, dossier, NULL) == PBY_OK && strstr(page, "</html>") != NULL, "a page");
        free(page);
    } else
        must(err.status == PBY_NO && err.text[0] != '\0' && strchr(err.text, '\n') == NULL,
             "no, on one line");
    json_decref(dossier);
    return 0;
}
