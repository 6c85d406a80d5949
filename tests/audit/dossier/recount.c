/* SPDX-License-Identifier: MIT */
#include "audit/dossier/recount.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

/* A result of a dossier of tests/vectors: its verdict, and the audit that was planned. */
struct held {
    json_t *dossier, *verdict;
    pby_audit_plan *plan;
    const pby_planned_audit *audit;
    int version;
};

static struct held hold(const char *path, const char *name)
{
    struct held h = {.dossier = json_load_file(path, 0, NULL)};
    cr_assert_not_null(h.dossier);
    const json_t *results = json_object_get(h.dossier, "results");
    cr_assert_eq(pby_audit_plan_new(&h.plan, json_object_get(h.dossier, "plan"), false, NULL), PBY_OK);
    for (size_t i = 0; i < h.plan->audits; i++)
        if (strcmp(h.plan->audit[i].name, name) == 0)
            h.audit = &h.plan->audit[i];
    for (size_t i = 0; i < json_array_size(results); i++) {
        const json_t *result = json_array_get(results, i);
        if (strcmp(pby_json_string(result, "audit"), name) == 0) {
            h.verdict = json_object_get(result, "verdict");
            h.version = (int)json_integer_value(json_object_get(result, "version"));
        }
    }
    cr_assert(h.verdict != NULL && h.audit != NULL);
    return h;
}

static void let_go(struct held *h)
{
    pby_audit_plan_free(h->plan);
    json_decref(h->dossier);
}

static pby_status recount(const struct held *h, pby_error *err)
{
    return pby_recount(h->verdict, h->version, h->audit, h->plan->share, err);
}

static void set(json_t *object, const char *name, json_t *value)
{
    cr_assert_not_null(object);
    cr_assert_eq(json_object_set_new(object, name, value), 0);
}

#define NEW "tests/vectors/dossier-2.json"
#define OLD "tests/vectors/dossier.json"

/* Both versions: of a result of version 1 all but the profile. */
Test(recount, what_was_judged_is_found_again)
{
    static const char *const results[][2] = {{OLD, "true"},       {OLD, "false"}, {NEW, "refuted"},
                                             {NEW, "consistent"}, {NEW, "few"},   {NEW, "short"},
                                             {NEW, "searched"}};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        struct held h = hold(results[i][0], results[i][1]);
        pby_error err = PBY_NO_ERROR;
        cr_assert_eq(recount(&h, &err), PBY_OK, "%s: %s", results[i][1], err.text);
        json_t *point = json_array_get(json_object_get(h.verdict, "profile"), 3);
        set(point, "seen", json_string("0.5"));
        cr_assert_eq(recount(&h, &err), h.version == 1 ? PBY_OK : PBY_NO, "%s", results[i][1]);
        let_go(&h);
    }
}

static void denied(const struct held *h, const char *reason)
{
    pby_error err = PBY_NO_ERROR;
    cr_expect_eq(recount(h, &err), PBY_NO, "%s", reason);
    cr_expect_not_null(strstr(err.text, reason), "%s: %s", reason, err.text);
}

/* A claim that was refuted, made consistent. */
static void forge_verdict(const char *path, const char *name)
{
    struct held h = hold(path, name);
    set(h.verdict, "verdict", json_string("consistent"));
    set(h.verdict, "epsilon_lower", json_string("0"));
    set(h.verdict, "delta_lower", json_string("0"));
    denied(&h, "verdict.");
    set(h.verdict, "events", json_array());
    set(h.verdict, "event", json_null());
    set(h.verdict, "profile", json_array());
    denied(&h, "verdict.");
    let_go(&h);
}

Test(recount, a_refuted_claim_is_not_made_consistent)
{
    forge_verdict(NEW, "refuted");
    forge_verdict(OLD, "false");
}

/* 300 outputs could not have shown anything, and nothing that is written makes them enough. */
Test(recount, too_few_outputs_stay_too_few)
{
    struct held h = hold(NEW, "few");
    set(h.verdict, "verdict", json_string("consistent"));
    denied(&h, "verdict.verdict: it says \"consistent\", but recomputed it is "
               "\"inconclusive\"");
    json_object_del(h.verdict, "reason");
    json_object_del(h.verdict, "enough");
    denied(&h, "verdict.verdict");
    let_go(&h);
}

Test(recount, outputs_are_the_sums_of_the_counts)
{
    static const char *const sides[] = {"left", "right"};
    struct held h = hold(NEW, "consistent");
    set(json_object_get(h.verdict, "outputs"), "left", json_integer(1000000000));
    denied(&h, "verdict.outputs: expected as many as the plan asks for");
    let_go(&h);
    h = hold(NEW, "consistent"); /* with a plan that asks for so many */
    ((pby_planned_audit *)(uintptr_t)h.audit)->outputs = 1000000000;
    for (size_t i = 0; i < 2; i++) {
        set(json_object_get(h.verdict, "outputs"), sides[i], json_integer(1000000000));
        set(json_object_get(h.verdict, "judges"), sides[i], json_integer(930000000));
    }
    set(h.verdict, "samples", json_integer(2000000000));
    denied(&h, "verdict.events[0].judged: expected it and chosen together of all outputs");
    let_go(&h);
}

Test(recount, what_could_be_seen_is_recomputed)
{
    static const char *const words[] = {"smallest_visible", "largest_visible"};
    for (size_t i = 0; i < 2; i++) {
        struct held h = hold(NEW, "consistent");
        set(h.verdict, words[i], json_string("0.001"));
        denied(&h, words[i]);
        let_go(&h);
    }
}

/* Outputs that did not come cannot be made to have come. */
Test(recount, missing_outputs_stay_missing)
{
    struct held h = hold(NEW, "short");
    set(json_object_get(h.verdict, "missing"), "left", json_integer(0));
    denied(&h, "verdict.missing.left: it says 0, but recomputed it is 100");
    let_go(&h);
}

/* A last digit more than the counts show, one part in 10^7 less, another share of the error, another bound.
 */
Test(recount, a_verdict_that_does_not_follow_is_refused)
{
    static const char *const words[] = {"epsilon_lower", "delta_lower"};
    for (int i = 0; i < 2; i++) {
        struct held h = hold(OLD, "false");
        const double shown = strtod(pby_json_string(h.verdict, words[i]), NULL);
        char text[64];
        snprintf(text, sizeof text, "%.9g", shown + 2e-9);
        set(h.verdict, words[i], json_string(text));
        denied(&h, words[i]);
        snprintf(text, sizeof text, "%.9g", shown * (1 - 1e-7));
        set(h.verdict, words[i], json_string(text));
        denied(&h, words[i]);
        let_go(&h);
    }
    struct held h = hold(OLD, "false");
    json_t *event = json_array_get(json_object_get(h.verdict, "events"), 7);
    set(event, "error", json_string("1e-6"));
    denied(&h, "verdict.events[7].error");
    set(event, "bound", json_string("hope"));
    denied(&h, "verdict.events[7].bound: expected joint or split k/64");
    set(event, "bound", json_string("split 31/64"));
    denied(&h, "verdict.events[7].bound: expected the one that its counts in chosen choose");
    let_go(&h);
}

/* The C library of another machine may give a last digit less: that is still shown, and is taken. */
Test(recount, a_last_digit_less_is_still_shown)
{
    struct held h = hold(NEW, "refuted");
    pby_error err = PBY_NO_ERROR;
    char text[64];
    snprintf(text, sizeof text, "%.8f", strtod(pby_json_string(h.verdict, "epsilon_lower"), NULL) - 1e-8);
    set(h.verdict, "epsilon_lower", json_string(text));
    cr_assert_eq(recount(&h, &err), PBY_OK, "%s", err.text);
    strcat(text, "0");
    set(h.verdict, "epsilon_lower", json_string(text));
    denied(&h, "verdict.epsilon_lower");
    let_go(&h);
}

#define RHO "tests/vectors/dossier-rho.json"

/* A claim of rho or mu was judged at a point of its curve: at no other point, by no other delta and for no
 * other claim does the verdict follow. */
Test(recount, claims_of_rho_and_mu_are_held_to_their_curve)
{
    static const char *const names[] = {"rho", "mu"};
    for (int i = 0; i < 2; i++) {
        struct held h = hold(RHO, names[i]);
        pby_error err = PBY_NO_ERROR;
        cr_assert_eq(recount(&h, &err), PBY_OK, "%s: %s", names[i], err.text);
        json_t *claim = json_object_get(h.verdict, "claim");
        char *epsilon = strdup(pby_json_string(claim, "epsilon")),
             *delta = strdup(pby_json_string(claim, "delta"));
        set(claim, "delta", json_string("0.5"));
        denied(&h, "verdict.claim");
        set(claim, "delta", json_string("1e-9"));
        denied(&h, "verdict.claim");
        set(claim, "delta", json_string(delta));
        set(claim, "epsilon", json_string("0.0101"));
        denied(&h, "verdict.claim");
        set(claim, "epsilon", json_string(epsilon));
        set(claim, names[i], json_string("1/7"));
        denied(&h, "verdict.claim");
        cr_assert_eq(json_object_del(claim, names[i]), 0);
        denied(&h, "verdict.claim");
        free(epsilon);
        free(delta);
        let_go(&h);
    }
    forge_verdict(RHO, "rho");
}
