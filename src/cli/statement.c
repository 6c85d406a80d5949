/* SPDX-License-Identifier: MIT */
#include "cli/statement.h"

#include <stdio.h>

#include "base/json.h"
#include "certificate/envelope.h"
#include "certificate/subjects.h"
#include "cli/output.h"
#include "io/file.h"

static void print_text(const char *type, const char *signer, const json_t *found, bool required)
{
    printf("the statement is signed by %s%s\n", signer, required ? "" : " (give --key to require a key)");
    printf("predicate   %s\n", type);
    for (size_t i = 0; i < json_array_size(found); i++) {
        const json_t *subject = json_array_get(found, i);
        printf("subject     %s  %s%s\n", pby_json_string(subject, "sha256"), pby_json_string(subject, "name"),
               json_is_true(json_object_get(subject, "here")) ? "" : " (not here)");
    }
    printf("checked     the signature, and the bytes of the files that are here; not what the statement "
           "says of them\n");
}

static pby_status report(const json_t *statement, const char *signer, json_t *found, bool required,
                         bool as_json, pby_error *err)
{
    const char *type = pby_json_string(statement, "predicateType");
    if (as_json)
        return pby_print_json(json_pack("{s:b, s:s, s:s, s:O}", "holds", 1, "signer", signer,
                                        "predicate_type", type, "subjects", found),
                              err);
    print_text(type, signer, found, required);
    return PBY_OK;
}

pby_status pby_statement_verify(const char *text, size_t size, const char *path, const char *key,
                                bool as_json, pby_error *err)
{
    char signer[PBY_SIGNER_SIZE];
    json_t *statement, *found = NULL;
    pby_status status = pby_envelope_open(&statement, signer, text, size, err);
    if (status == PBY_OK && key != NULL)
        status = pby_envelope_signed_by(signer, key, err);
    if (status == PBY_OK)
        status = pby_subjects_compare(&found, statement, pby_path_named(path), err);
    if (status == PBY_OK)
        status = report(statement, signer, found, key != NULL, as_json, err);
    json_decref(found);
    json_decref(statement);
    return status;
}
