/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/canary/canary_scores.h"
#include "probity/experimental/canary.h"

static void add(pby_canaries *c, bool included, double score)
{
    char text[40];
    const int length = snprintf(text, sizeof text, "%.17g", score);
    cr_assert_eq(pby_canaries_add(c, included, text, (size_t)length, NULL), PBY_OK);
}

/* The z below which the normal law has x, by halving. */
static double quantile(double x)
{
    double low = -10, high = 10;
    for (int i = 0; i < 60; i++) {
        const double z = (low + high) / 2;
        if (erfc(-z * M_SQRT1_2) / 2 < x)
            low = z;
        else
            high = z;
    }
    return low;
}

/* n included and n left out, at the quantiles of two normal laws `shift` apart. */
static pby_canaries *normals(int n, double shift)
{
    pby_canaries *c;
    cr_assert_eq(pby_canaries_new(&c, NULL), PBY_OK);
    for (int i = 0; i < n; i++) {
        const double z = quantile((i + 0.5) / n);
        add(c, true, z + shift);
        add(c, false, z);
    }
    return c;
}

static json_t *judge(const pby_canaries *c, const char *epsilon, const char *delta, const char *error)
{
    pby_canary_verdict *v;
    char *text;
    cr_assert_eq(pby_canaries_judge(&v, c, pby_value_text(epsilon), pby_value_text(delta),
                                    pby_value_text(error), NULL),
                 PBY_OK);
    cr_assert_eq(pby_canary_verdict_json(&text, v, NULL), PBY_OK);
    json_t *object = json_loads(text, 0, NULL);
    cr_assert_not_null(object);
    cr_assert_str_eq(json_string_value(json_object_get(object, "epsilon_lower")),
                     pby_canary_verdict_epsilon_lower(v));
    free(text);
    pby_canary_verdict_free(v);
    return object;
}

static double shown(const json_t *object, const char *name)
{
    size_t i;
    const json_t *bound;
    json_array_foreach(json_object_get(object, "bounds"), i,
                       bound) if (strcmp(json_string_value(json_object_get(bound, "name")), name) ==
                                  0) return atof(json_string_value(json_object_get(bound, "epsilon_lower")));
    cr_assert_fail("no bound %s", name);
    return 0;
}

/* Published at this error: 1.13346, and 2.16475 if the curve is Gaussian. */
Test(audit_canary, shows_more_than_was_published)
{
    pby_canaries *c = normals(10000, 1);
    json_t *v = judge(c, NULL, "1e-6", "0.05");
    cr_assert_float_eq(shown(v, "exact"), 2.24311175, 1e-6);
    cr_assert_float_eq(shown(v, "independent"), 2.1518777, 1e-6);
    cr_assert_float_eq(shown(v, "gaussian"), 2.68103095, 1e-6);
    cr_assert_null(json_object_get(v, "verdict"));
    cr_assert_null(json_object_get(v, "warning"));
    json_decref(v);
    pby_canaries_free(c);
}

/* Guesses that are judged on their own show the same as in a list: the lists only share the error. */
Test(audit_canary, guesses_and_scores_agree)
{
    static const pby_canary_guesses g = {.correct = 293, .made = 312, .canaries = 20000};
    pby_canary_verdict *v;
    cr_assert_eq(pby_canary_guesses_judge(&v, &g, pby_value_text(NULL), pby_value_text("1e-6"),
                                          pby_value_text("1/460"), NULL),
                 PBY_OK);
    cr_assert_str_eq(pby_canary_verdict_epsilon_lower(v), "2.08968027");
    pby_canary_verdict_free(v);
}

Test(audit_canary, labels_of_no_use_show_nothing)
{
    pby_canaries *c = normals(500, 0); /* every score twice: once on each side */
    json_t *v = judge(c, "1", "1e-6", "0.05");
    cr_assert_str_eq(json_string_value(json_object_get(v, "epsilon_lower")), "0");
    cr_assert_str_eq(json_string_value(json_object_get(v, "verdict")), "consistent");
    json_decref(v);
    pby_canaries_free(c);
    c = normals(500, -2); /* the wrong way round */
    v = judge(c, "1", "1e-6", "0.05");
    cr_assert_str_eq(json_string_value(json_object_get(v, "epsilon_lower")), "0");
    json_decref(v);
    pby_canaries_free(c);
}

/* Ties are broken against the guesser: a score that is the same for all guesses no better than the fewer
 * kind. */
Test(audit_canary, ties_are_broken_against_the_guesser)
{
    pby_canary_tally t;
    pby_canaries *c;
    cr_assert_eq(pby_canaries_new(&c, NULL), PBY_OK);
    for (int i = 0; i < 100; i++)
        add(c, i % 2 == 0, 1);
    add(c, true, 2);
    cr_assert_eq(pby_canaries_count(&t, c, NULL), PBY_OK);
    cr_assert(pby_canary_tally_holds(&t));
    cr_assert_eq(pby_canary_list_made(101, 0), 101); /* 51 highest included, 50 lowest left out */
    cr_assert_eq(t.correct[0], 1);
    cr_assert_eq(pby_canary_list_made(101, 4), 51);
    cr_assert_eq(t.correct[4], 1);
    cr_assert_eq(pby_canary_list_made(101, 5), 51);
    cr_assert_eq(t.correct[5], 1 + 0);
    cr_assert_eq(t.correct[1], 51); /* all are guessed included */
    t.correct[5] = 52;              /* a list of 51 guesses */
    cr_assert_not(pby_canary_tally_holds(&t));
    pby_canaries_free(c);
}

Test(audit_canary, a_verdict_may_be_a_violation_or_inconclusive)
{
    pby_canaries *c = normals(1000, 3);
    json_t *v = judge(c, "1", "1e-6", "0.01");
    cr_assert_str_eq(json_string_value(json_object_get(v, "verdict")), "violation");
    json_decref(v);
    pby_canaries_free(c);
    c = normals(1000, 1);
    v = judge(c, "2", "1e-6", "0.01");
    cr_assert_str_eq(json_string_value(json_object_get(v, "verdict")), "consistent");
    json_decref(v);
    v = judge(c, "40", "1e-6", "0.01");
    cr_assert_str_eq(json_string_value(json_object_get(v, "verdict")), "inconclusive");
    json_decref(v);
    pby_canaries_free(c);
}

Test(audit_canary, warns_of_coins_that_are_not_fair)
{
    pby_canaries *c = normals(300, 1);
    for (int i = 0; i < 600; i++)
        add(c, false, -1);
    json_t *v = judge(c, NULL, "0", "0.05");
    cr_assert_not_null(strstr(json_string_value(json_object_get(v, "warning")), "300 of 1200"));
    json_decref(v);
    pby_canaries_free(c);
}

/* All are included, and all are guessed included: that shows nothing of the mechanism. */
Test(audit_canary, coins_that_are_not_fair_refute_no_claim)
{
    pby_canaries *c;
    cr_assert_eq(pby_canaries_new(&c, NULL), PBY_OK);
    for (int i = 0; i < 1000; i++)
        add(c, true, i);
    json_t *v = judge(c, "1", "0", "0.05");
    cr_assert_str_eq(json_string_value(json_object_get(v, "verdict")), "inconclusive");
    cr_assert_str_eq(json_string_value(json_object_get(v, "reason")),
                     "the canaries were not included by fair coins");
    json_decref(v);
    pby_canaries_free(c);
}

Test(audit_canary, many_runs)
{
    static const pby_canary_runs r = {
        .true_positive = 900, .false_positive = 100, .true_negative = 900, .false_negative = 100};
    pby_canary_verdict *v;
    cr_assert_eq(
        pby_canary_runs_judge(&v, &r, pby_value_text("1"), pby_value_text("0"), pby_value_text("0.05"), NULL),
        PBY_OK);
    cr_assert(pby_canary_verdict_violation(v));
    const double lower = atof(pby_canary_verdict_epsilon_lower(v));
    cr_assert(lower > 1.9 && lower < log(9));
    pby_canary_verdict_free(v);
    static const pby_canary_runs few = {
        .true_positive = 2, .false_positive = 1, .true_negative = 2, .false_negative = 1};
    cr_assert_eq(pby_canary_runs_judge(&v, &few, pby_value_text("1"), pby_value_text("0"),
                                       pby_value_text("0.05"), NULL),
                 PBY_OK);
    cr_assert(!pby_canary_verdict_violation(v));
    cr_assert_str_eq(pby_canary_verdict_reason(v),
                     "3 runs with the canary and 3 without are too few to refute this claim at this error");
    pby_canary_verdict_free(v);
}

static void refused(pby_status status, const pby_error *err, const char *text)
{
    cr_assert_eq(status, PBY_BAD);
    cr_assert_not_null(strstr(err->text, text), "%s", err->text);
}

Test(audit_canary, refuses_bad_input)
{
    pby_error err;
    pby_canary_verdict *v;
    pby_canaries *c;
    cr_assert_eq(pby_canaries_new(&c, &err), PBY_OK);
    refused(
        pby_canaries_judge(&v, c, pby_value_text(NULL), pby_value_text("0"), pby_value_text("0.05"), &err),
        &err, "expected the score of at least one");
    refused(pby_canaries_add(c, true, "nan", 3, &err), &err, "score 'nan': expected an integer or a decimal");
    refused(pby_canaries_add(c, true, "", 0, &err), &err, "score");
    refused(pby_canaries_add(c, true, "1,2", 3, &err), &err, "score");
    add(c, true, 1);
    refused(
        pby_canaries_judge(&v, c, pby_value_text("-1"), pby_value_text("0"), pby_value_text("0.05"), &err),
        &err, "epsilon");
    refused(
        pby_canaries_judge(&v, c, pby_value_text(NULL), pby_value_text("1"), pby_value_text("0.05"), &err),
        &err, "delta");
    refused(pby_canaries_judge(&v, c, pby_value_text(NULL), pby_value_text("0"), pby_value_text("0"), &err),
            &err, "error");
    refused(pby_canaries_judge(&v, c, pby_value_text(NULL), pby_value_text("0"), pby_value_text("1/2"), &err),
            &err, "error");
    cr_assert_null(v);
    pby_canaries_free(c);
    static const pby_canary_guesses bad[] = {{.correct = 3, .made = 2, .canaries = 9},
                                             {.correct = 0, .made = 0, .canaries = 9},
                                             {.correct = 1, .made = 10, .canaries = 9}};
    for (size_t i = 0; i < 3; i++)
        refused(pby_canary_guesses_judge(&v, &bad[i], pby_value_text(NULL), pby_value_text("0"),
                                         pby_value_text("0.05"), &err),
                &err, "guesses");
    static const pby_canary_runs one_sided = {.true_positive = 9};
    refused(pby_canary_runs_judge(&v, &one_sided, pby_value_text(NULL), pby_value_text("0"),
                                  pby_value_text("0.05"), &err),
            &err, "runs");
}

/* With a claim the lines begin with the verdict, without one with what is shown. */
Test(audit_canary, lines_tell_the_verdict)
{
    static const struct {
        const char *epsilon, *begins;
    } cases[] = {{NULL, "shown       epsilon > "},
                 {"1/10", "verdict     violation\nclaim       epsilon 0.1, "}};
    const pby_canary_guesses guesses = {.correct = 95, .made = 100, .canaries = 200};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_canary_verdict *v;
        char *text, line[128];
        cr_assert_eq(pby_canary_guesses_judge(&v, &guesses, pby_value_text(cases[i].epsilon),
                                              pby_value_text("0"), pby_value_text("1e-3"), NULL),
                     PBY_OK);
        cr_assert_eq(pby_canary_verdict_lines(&text, v, NULL), PBY_OK);
        cr_expect(strncmp(text, cases[i].begins, strlen(cases[i].begins)) == 0, "%s", text);
        snprintf(line, sizeof line, "epsilon > %s at delta 0\n", pby_canary_verdict_epsilon_lower(v));
        cr_expect_not_null(strstr(text, line), "%s", text);
        cr_expect_not_null(strstr(text, "\ncanaries    200\n"));
        free(text);
        pby_canary_verdict_free(v);
    }
}
