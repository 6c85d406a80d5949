/* SPDX-License-Identifier: MIT */
#include "tests/certificate/make.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probity/rational.h"

char *pby_make_certificate(const char *spec_text, pby_neighbours relation, const char *epsilon_text)
{
    pby_error err;
    pby_spec *spec;
    char *text;
    mpq_t epsilon;
    mpq_init(epsilon);
    cr_assert_eq(pby_rational_parse(epsilon, "epsilon", epsilon_text, &err), PBY_OK);
    cr_assert_eq(pby_spec_parse(&spec, &spec_text, 1, &err), PBY_OK);
    cr_assert_eq(pby_certify(&text, spec, relation, epsilon, &err), PBY_OK, "%s", err.text);
    pby_spec_free(spec);
    mpq_clear(epsilon);
    return text;
}

char *pby_golden(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "tests/vectors/%s", name);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s is not there", path);
    char *text = calloc(1, 8192);
    cr_assert_not_null(text);
    cr_assert_gt(fread(text, 1, 8191, file), 0);
    fclose(file);
    return text;
}

json_t *pby_make_json(void)
{
    char *text = pby_make_certificate("stlap:eps=1/2,q=40", PBY_ADD_REMOVE, "1/2");
    json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    cr_assert_not_null(object);
    free(text);
    return object;
}

pby_status pby_verdict(json_t *object, pby_error *err)
{
    char digest[PBY_DIGEST_TEXT_SIZE];
    if (json_is_object(object) && json_object_get(object, "digest") != NULL) {
        cr_assert_eq(pby_certificate_digest(digest, object, err), PBY_OK);
        json_object_set_new(object, "digest", json_string(digest));
    }
    char *text = pby_certificate_encode(object);
    cr_assert_not_null(text);
    json_decref(object);
    const pby_status status = pby_verify(NULL, text, strlen(text), err);
    free(text);
    return status;
}
