/* SPDX-License-Identifier: MIT */
/* Every member of a result and of a dossier is edited, and the digests are computed again, as a forger would.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/dossier/dossier.h"
#include "audit/dossier/dossier_page.h"
#include "audit/dossier/result.h"
#include "audit/dossier/stated.h"
#include "base/json.h"
#include "certificate/certificate.h"
#include "certificate/document.h"
#include "tests/edits.h"

enum { PATHS = 32 };

struct tried {
    const pby_audit_plan *plan;
    const char *stated[PATHS];
    size_t accepted;
};

static void stated_paths(struct tried *t, const pby_stated *stated, const pby_stated *more)
{
    size_t n = 0;
    for (; stated->path != NULL; stated++)
        t->stated[n++] = stated->path;
    for (; more != NULL && more->path != NULL; more++)
        t->stated[n++] = more->path;
    t->stated[n] = NULL;
    cr_assert_lt(n, PATHS);
}

static json_t *load_from(const char *path)
{
    json_t *dossier = json_load_file(path, 0, NULL);
    cr_assert_not_null(dossier);
    return dossier;
}

static json_t *load(void)
{
    return load_from("tests/vectors/dossier-2.json");
}

static const pby_planned_audit *planned(const pby_audit_plan *plan, const json_t *result)
{
    for (size_t i = 0; i < plan->audits; i++)
        if (strcmp(plan->audit[i].name, pby_json_string(result, "audit")) == 0)
            return &plan->audit[i];
    return &plan->audit[0];
}

/* A lower bound may be a last digit less: that is still shown. */
static bool still_shown(const json_t *edited, const char *path, const char *what)
{
    static const char *const names[] = {"epsilon_lower", "delta_lower"};
    if (strcmp(path, "verdict.bounds[].epsilon_lower") == 0 || strcmp(path, "verdict.bounds[].mu_lower") == 0)
        return strcmp(what, "cut short") == 0;
    for (size_t i = 0; i < 2; i++)
        if (strncmp(path, "verdict.", 8) == 0 && strcmp(path + 8, names[i]) == 0)
            return strcmp(what, "cut short") == 0 &&
                   strlen(pby_json_string(json_object_get(edited, "verdict"), names[i])) >= 9;
    return false;
}

static void try_result(json_t *edited, const char *path, const char *what, void *with)
{
    struct tried *t = with;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_document_seal(edited, NULL), PBY_OK);
    const pby_status status = pby_result_check(edited, t->plan, planned(t->plan, edited), &err);
    if (status == PBY_OK) {
        t->accepted++;
        cr_expect(strcmp(path, "digest") == 0 || pby_edit_within(path, t->stated) ||
                      still_shown(edited, path, what),
                  "%s, %s: accepted", path, what);
        return;
    }
    cr_expect_eq(status, PBY_NO, "%s, %s: %s", path, what, err.text);
    cr_expect(err.text[0] != '\0' && strchr(err.text, '\n') == NULL, "%s, %s: one line", path, what);
}

/* Every edit is refused but that of a statement. */
Test(resealed, every_edit_of_a_result_is_refused_or_a_statement)
{
    json_t *dossier = load(), *results = json_object_get(dossier, "results");
    struct tried t = {.accepted = 0};
    pby_audit_plan *plan = NULL;
    size_t edits = 0;
    cr_assert_eq(pby_audit_plan_new(&plan, json_object_get(dossier, "plan"), false, NULL), PBY_OK);
    t.plan = plan;
    stated_paths(&t, pby_stated_result, NULL);
    for (size_t i = 0; i < json_array_size(results); i++) {
        const json_t *result = json_array_get(results, i);
        if (strcmp(pby_json_string(result, "audit"), "consistent") == 0) /* as the others, but for its word */
            continue;
        cr_assert_eq(pby_result_check(result, plan, planned(plan, result), NULL), PBY_OK);
        edits += pby_edits(result, try_result, &t);
    }
    cr_assert(edits > 1000 && t.accepted > 0 && t.accepted < edits / 8, "%zu of %zu accepted", t.accepted,
              edits);
    pby_audit_plan_free(plan);
    json_decref(dossier);
}

/* The epsilon of the curve at which rho and mu are judged is stated, as the counts are: the rest follows. */
Test(resealed, every_edit_about_rho_and_mu_is_refused_or_a_statement)
{
    json_t *dossier = load_from("tests/vectors/dossier-rho.json");
    const json_t *results = json_object_get(dossier, "results");
    struct tried t = {.accepted = 0};
    pby_audit_plan *plan = NULL;
    cr_assert_eq(pby_audit_plan_new(&plan, json_object_get(dossier, "plan"), false, NULL), PBY_OK);
    t.plan = plan;
    stated_paths(&t, pby_stated_result, pby_stated_point);
    cr_assert(pby_edits(json_array_get(results, 0), try_result, &t) > 300 && t.accepted > 0);
    pby_audit_plan_free(plan);
    json_decref(dossier);
}

/* Counts of the plan cannot be edited at all, and those of scores only as long as they agree. */
Test(resealed, every_edit_of_a_result_about_canaries_is_refused_or_a_statement)
{
    json_t *dossier = load_from("tests/vectors/dossier-canaries.json"),
           *results = json_object_get(dossier, "results");
    struct tried t = {.accepted = 0};
    pby_audit_plan *plan = NULL;
    size_t edits = 0;
    cr_assert_eq(pby_audit_plan_new(&plan, json_object_get(dossier, "plan"), false, NULL), PBY_OK);
    t.plan = plan;
    stated_paths(&t, pby_stated_canaries, NULL);
    cr_assert_eq(json_array_size(results), 3);
    for (size_t i = 0; i < 3; i++) {
        cr_assert_eq(pby_result_check(json_array_get(results, i), plan, &plan->audit[i], NULL), PBY_OK);
        edits += pby_edits(json_array_get(results, i), try_result, &t);
    }
    cr_assert(edits > 500 && t.accepted > 0 && t.accepted < edits / 6, "%zu of %zu accepted", t.accepted,
              edits);
    pby_audit_plan_free(plan);
    json_decref(dossier);
}

static void refused(json_t *dossier, json_t *result, const char *expected)
{
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_document_seal(result, NULL), PBY_OK);
    cr_assert_eq(pby_document_seal(dossier, NULL), PBY_OK);
    cr_expect_eq(pby_dossier_check(dossier, &err), PBY_NO);
    cr_expect(strstr(err.text, expected) != NULL, "%s", err.text);
    json_decref(dossier);
}

/* A rho that was refuted at an epsilon of 0 was once made consistent by the same counts, judged at 1.1: the
 * file and the page say that the author picked the epsilon, and cannot leave it out. */
Test(resealed, the_epsilon_at_which_rho_is_judged_is_marked)
{
    json_t *dossier = load_from("tests/vectors/dossier-rho.json");
    json_t *result = json_array_get(json_object_get(dossier, "results"), 0);
    char *page = NULL;
    cr_assert_eq(pby_dossier_check(dossier, NULL), PBY_OK);
    cr_assert_eq(pby_dossier_page(&page, dossier, NULL), PBY_OK);
    cr_expect_not_null(strstr(page,
                              "<th>Judged at (stated)</th><td class=\"event\">epsilon 0, where the claim "
                              "allows delta 0.157455;"));
    cr_expect_not_null(strstr(page, "(<code>verdict.claim.epsilon</code>)"));
    free(page);
    json_object_set_new(result, "stated", pby_stated_list(pby_stated_result, NULL));
    refused(dossier, result, "stated: expected");
    dossier = load_from("tests/vectors/dossier-rho.json");
    result = json_array_get(json_object_get(dossier, "results"), 0);
    json_object_set_new(result, "version", json_integer(1));
    json_object_del(result, "stated");
    refused(dossier, result, "which version 1 does not have");
}

static void try_dossier(json_t *edited, const char *path, const char *what, void *with)
{
    struct tried *t = with;
    pby_error err = PBY_NO_ERROR;
    if (strncmp(path, "results[]", 9) == 0 && path[9] != '\0') /* those are edited above */
        return;
    cr_assert_eq(pby_document_seal(edited, NULL), PBY_OK);
    char *text = pby_certificate_encode(edited);
    cr_assert_not_null(text);
    pby_edit_keep("dossier", text);
    free(text);
    const pby_status status = pby_dossier_check(edited, &err);
    if (status == PBY_OK) {
        t->accepted++;
        cr_expect(strcmp(path, "digest") == 0 || pby_edit_within(path, t->stated), "%s, %s: accepted", path,
                  what);
    } else
        cr_expect_eq(status, PBY_NO, "%s, %s: %s", path, what, err.text);
}

/* The plan is what was asked, so it is the author's; but for an audit that has a result nothing of it can be
 * edited, since the result has its digest. */
Test(resealed, every_edit_of_a_dossier_is_refused_or_a_statement)
{
    json_t *dossier = load();
    struct tried t = {.accepted = 0};
    cr_assert_eq(pby_dossier_check(dossier, NULL), PBY_OK);
    stated_paths(&t, pby_stated_dossier, NULL);
    cr_assert(pby_edits(dossier, try_dossier, &t) > 300 && t.accepted > 0);
    json_decref(dossier);
}

/* A dossier about canaries as any other. */
Test(resealed, every_edit_of_a_dossier_about_canaries_is_refused_or_a_statement)
{
    json_t *dossier = load_from("tests/vectors/dossier-canaries.json");
    struct tried t = {.accepted = 0};
    cr_assert_eq(pby_dossier_check(dossier, NULL), PBY_OK);
    stated_paths(&t, pby_stated_dossier, NULL);
    cr_assert(pby_edits(dossier, try_dossier, &t) > 200 && t.accepted > 0);
    json_decref(dossier);
}

/* The judgement of a deployment follows from the plan. */
Test(resealed, every_edit_about_a_deployment_is_refused_or_a_statement)
{
    json_t *dossier = load_from("tests/vectors/dossier-deployment.json");
    struct tried t = {.accepted = 0};
    cr_assert_eq(pby_dossier_check(dossier, NULL), PBY_OK);
    stated_paths(&t, pby_stated_dossier, NULL);
    cr_assert(pby_edits(dossier, try_dossier, &t) > 300 && t.accepted > 0);
    json_decref(dossier);
}
