#include "audit/dossier/recount.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "certificate/certificate.h"

/* The verdict of a result of tests/vectors/dossier.json, for json_decref. */
static json_t *verdict_of(const char *audit)
{
    json_t *dossier = json_load_file("tests/vectors/dossier.json", 0, NULL), *results, *found = NULL;
    cr_assert_not_null(dossier);
    results = json_object_get(dossier, "results");
    for (size_t i = 0; i < json_array_size(results); i++)
        if (strcmp(pby_json_string(json_array_get(results, i), "audit"), audit) == 0)
            found = json_deep_copy(json_object_get(json_array_get(results, i), "verdict"));
    json_decref(dossier);
    cr_assert_not_null(found);
    return found;
}

static pby_status recount(const json_t *verdict, const char *epsilon, pby_error *err)
{
    mpq_t e, d, a;
    mpq_inits(e, d, a, NULL);
    mpq_set_str(e, epsilon, 10);
    mpq_set_str(a, "1/3000000", 10);
    const pby_status status = pby_recount(verdict, e, d, a, err);
    mpq_clears(e, d, a, NULL);
    return status;
}

static void set(json_t *object, const char *name, json_t *value)
{
    cr_assert_eq(json_object_set_new(object, name, value), 0);
}

Test(recount, what_was_judged_is_found_again)
{
    json_t *violation = verdict_of("false"), *consistent = verdict_of("true");
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(recount(violation, "1/100", &err), PBY_OK, "%s", err.text);
    cr_assert_eq(recount(consistent, "1/2", &err), PBY_OK, "%s", err.text);
    cr_assert_eq(recount(violation, "1/10", &err), PBY_NO, "another claim");
    json_decref(consistent);
    json_decref(violation);
}

/* A last digit more than the counts show, fewer counts, a verdict of another word, more error. */
Test(recount, a_verdict_that_does_not_follow_is_refused)
{
    static const char *const words[] = {"epsilon_lower", "delta_lower"};
    pby_error err = PBY_NO_ERROR;
    for (int i = 0; i < 2; i++) {
        json_t *v = verdict_of("false");
        char more[64];
        snprintf(more, sizeof more, "%.9f", strtod(pby_json_string(v, words[i]), NULL) + 2e-9);
        set(v, words[i], json_string(more));
        cr_assert_eq(recount(v, "1/100", &err), PBY_NO);
        cr_assert_not_null(strstr(err.text, "do not refute"), "%s", err.text);
        json_decref(v);
    }
    json_t *v = verdict_of("false");
    set(v, "verdict", json_string("consistent"));
    cr_assert_eq(recount(v, "1/100", &err), PBY_NO);
    set(v, "verdict", json_string("proved"));
    cr_assert_eq(recount(v, "1/100", &err), PBY_NO);
    json_decref(v);
    v = verdict_of("true");
    set(v, "verdict", json_string("violation"));
    cr_assert_eq(recount(v, "1/2", &err), PBY_NO);
    json_decref(v);
    v = verdict_of("false");
    set(json_array_get(json_object_get(v, "events"), 7), "error", json_string("1e-6"));
    cr_assert_eq(recount(v, "1/100", &err), PBY_NO);
    cr_assert_not_null(strstr(err.text, "spend more"), "%s", err.text);
    set(json_array_get(json_object_get(v, "events"), 7), "bound", json_string("hope"));
    cr_assert_eq(recount(v, "1/100", &err), PBY_NO);
    json_decref(v);
}
