/* SPDX-License-Identifier: MIT */
#include "audit/dossier/dossier_parts.h"

#include <string.h>

#include "base/json.h"
#include "picture/html.h"

const json_t *pby_dossier_named(const json_t *list, const char *name)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(pby_json_string(json_array_get(list, i), "audit"), name) == 0)
            return json_array_get(list, i);
    return NULL;
}

bool pby_dossier_marks_stated(const json_t *dossier)
{
    return json_integer_value(json_object_get(dossier, "version")) > 1;
}

const json_t *pby_dossier_result(const json_t *dossier, const json_t *audit)
{
    return pby_dossier_named(json_object_get(dossier, "results"), pby_json_string(audit, "name"));
}

const char *pby_dossier_verdict(const json_t *dossier, const json_t *audit)
{
    const json_t *result = pby_dossier_result(dossier, audit);
    return result == NULL ? "not run" : pby_json_string(json_object_get(result, "verdict"), "verdict");
}

void pby_dossier_put(FILE *out, const json_t *object, const char *member)
{
    pby_html_text(out, pby_json_string(object, member));
}

void pby_dossier_put_claim(FILE *out, const json_t *audit)
{
    const json_t *claim = json_object_get(audit, "claim");
    const char *divergence = json_object_get(claim, "rho") != NULL  ? "rho"
                             : json_object_get(claim, "mu") != NULL ? "mu"
                                                                    : NULL;
    if (divergence != NULL) {
        fprintf(out, "%s ", divergence);
        pby_dossier_put(out, claim, divergence);
        return;
    }
    fputs("epsilon ", out);
    pby_dossier_put(out, claim, "epsilon");
    fputs(", delta ", out);
    pby_html_text(out, json_object_get(claim, "delta") == NULL ? "0" : pby_json_string(claim, "delta"));
}

long long pby_dossier_integer(const json_t *object, const char *member)
{
    return (long long)json_integer_value(json_object_get(object, member));
}

const char *pby_dossier_class(const char *word)
{
    return strcmp(word, "violation") == 0    ? "violation"
           : strcmp(word, "consistent") == 0 ? "consistent"
                                             : "inconclusive";
}

const char *pby_dossier_word(const char *word)
{
    return strcmp(word, "violation") == 0      ? "refuted"
           : strcmp(word, "consistent") == 0   ? "not refuted"
           : strcmp(word, "inconclusive") == 0 ? "could not be judged"
                                               : "not run";
}
