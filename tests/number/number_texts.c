/* SPDX-License-Identifier: MIT */
/* A function whose name ends in _text says what the one says that it is named for, and refuses a number by
 * its argument's name. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy/accuracy.h"
#include "probity.h"
#include "probity/compat.h"
#include "probity/experimental/auditing.h"
#include "probity/experimental/buckets.h"
#include "probity/experimental/certified.h"
#include "probity/experimental/losses.h"
#include "probity/experimental/parts.h"
#include "tests/cli/run.h"
#include "tests/spec.h"

static pby_error err;

static void is(pby_status status)
{
    cr_assert_eq(status, PBY_OK, "%s", err.text);
}

static void is_refused(pby_status status, const char *begins)
{
    cr_assert_eq(status, PBY_BAD, "%s", begins);
    cr_assert_eq(strncmp(err.text, begins, strlen(begins)), 0, "%s", err.text);
}

/* The decimals of an enclosure, which is cleared. */
static void same(const pby_decimals *got, pby_enclosure *x, unsigned digits)
{
    char text[PBY_DECIMAL_SIZE];
    pby_decimal(text, x->lo, digits, true);
    cr_assert_str_eq(got->lo, text);
    pby_decimal(text, x->hi, digits, false);
    cr_assert_str_eq(got->hi, text);
}

static void is_text(char *text, const char *expected)
{
    cr_assert_str_eq(text, expected);
    free(text);
}

Test(worded, losses)
{
    pby_spec *stlap = spec_of("stlap:eps=1/2,q=40"), *many = spec_of("5*geometric:eps=1/10");
    pby_enclosure x;
    pby_approximate a;
    pby_decimals d, loss, delta;
    mpq_t q;
    const char *source;
    bool wider;
    pby_enclosure_init(&x);
    pby_approximate_init(&a);
    mpq_init(q);
    mpq_set_ui(q, 1, 2);
    is(pby_loss_delta(&x, stlap, PBY_ADD_REMOVE, q, 12, &err));
    is(pby_loss_delta_text(&d, stlap, PBY_ADD_REMOVE, "0.5", 12, &err));
    same(&d, &x, 12);
    is(pby_loss_claimed(&x, &source, stlap, PBY_ADD_REMOVE, q, 12, &err));
    is(pby_loss_claimed_text(&d, &source, stlap, PBY_ADD_REMOVE, "1/2", 12, &err));
    cr_assert_not_null(source);
    same(&d, &x, 12);
    is(pby_loss_claimed_text(&d, &source, many, PBY_ADD_REMOVE, "1/2", 12, &err));
    cr_assert_null(source);
    cr_assert_str_empty(d.lo);
    is(pby_loss_group_delta(&x, &wider, stlap, PBY_ADD_REMOVE, 2, q, 9, &err));
    is(pby_loss_group_delta_text(&d, &wider, stlap, PBY_ADD_REMOVE, 2, "1/2", 0, &err));
    same(&d, &x, 9);
    mpq_set_ui(q, 1, 1000);
    is(pby_loss_epsilon(&x, many, PBY_ADD_REMOVE, q, 9, &err));
    is(pby_loss_epsilon_text(&d, many, PBY_ADD_REMOVE, "1e-3", 0, &err));
    same(&d, &x, 9);
    is(pby_loss_composed(&x, PBY_COMPOSE_BASIC, PBY_ASK_EPSILON, many, PBY_ADD_REMOVE, q, 9, &err));
    is(pby_loss_composed_text(&d, PBY_COMPOSE_BASIC, PBY_ASK_EPSILON, many, PBY_ADD_REMOVE, "1e-3", 9, &err));
    same(&d, &x, 9);
    is(pby_loss_group_epsilon(&x, NULL, many, PBY_ADD_REMOVE, 3, q, 9, &err));
    is(pby_loss_group_epsilon_text(&d, NULL, many, PBY_ADD_REMOVE, 3, "1/1000", 9, &err));
    same(&d, &x, 9);
    mpq_set_ui(q, 2, 1);
    is(pby_loss_renyi(&x, &a, stlap, PBY_ADD_REMOVE, q, 9, &err));
    is(pby_loss_renyi_text(&d, &loss, &delta, stlap, PBY_ADD_REMOVE, "2", 9, &err));
    same(&d, &x, 9);
    same(&loss, &a.loss, 9);
    same(&delta, &a.delta, 9);
    is(pby_loss_renyi(&x, NULL, many, PBY_ADD_REMOVE, NULL, 9, &err));
    is(pby_loss_renyi_text(&d, NULL, NULL, many, PBY_ADD_REMOVE, NULL, 9, &err));
    same(&d, &x, 9);
    mpq_set_ui(q, 0, 1);
    is(pby_loss_zcdp(&x, NULL, many, PBY_ADD_REMOVE, q, 9, &err));
    is(pby_loss_zcdp_text(&d, NULL, NULL, many, PBY_ADD_REMOVE, "0", 9, &err));
    same(&d, &x, 9);
    mpq_clear(q);
    pby_approximate_clear(&a);
    pby_enclosure_clear(&x);
    pby_spec_free(many);
    pby_spec_free(stlap);
}

Test(worded, losses_with_a_width_and_refusals)
{
    pby_spec *many = spec_of("30*dgauss:sigma2=50"), *zcdp = spec_of("zcdp:rho=1/10");
    pby_decimals wide, narrow;
    bool wider = true;
    is(pby_loss_text(&wide, &wider, PBY_ASK_DELTA, many, PBY_ADD_REMOVE, "1", NULL, 9, &err));
    cr_assert(!wider);
    is(pby_loss_text(&narrow, NULL, PBY_ASK_DELTA, many, PBY_ADD_REMOVE, "1", "1e-6", 9, &err));
    cr_assert_leq(atof(wide.hi), 1.01 * atof(wide.lo));
    cr_assert_leq(atof(narrow.hi), 1.000002 * atof(narrow.lo));
    cr_assert(atof(narrow.lo) <= atof(wide.hi) && atof(wide.lo) <= atof(narrow.hi), "both hold the truth");
    is_refused(pby_loss_text(&wide, NULL, PBY_ASK_DELTA, many, PBY_ADD_REMOVE, "one", NULL, 9, &err),
               "epsilon 'one'");
    is_refused(pby_loss_text(&wide, NULL, PBY_ASK_DELTA, many, PBY_ADD_REMOVE, "1", "x", 9, &err),
               "width 'x'");
    is_refused(pby_loss_text(&wide, NULL, (pby_question)9, many, PBY_ADD_REMOVE, "2", NULL, 9, &err), "ask");
    is_refused(pby_loss_epsilon_text(&wide, many, PBY_ADD_REMOVE, "-1", 9, &err), "delta '-1'");
    is(pby_loss_convert_text(&wide, "zcdp-to-approx-classical", PBY_ASK_EPSILON, zcdp, PBY_ADD_REMOVE, "1e-6",
                             9, &err));
    is_refused(pby_loss_convert_text(&wide, "zcdp-to-approx-classical", PBY_ASK_EPSILON, zcdp, PBY_ADD_REMOVE,
                                     NULL, 9, &err),
               "delta: expected");
    pby_spec_free(zcdp);
    pby_spec_free(many);
}

/* Several values at once are what each is alone. */
Test(worded, epsilons_at_several_deltas)
{
    pby_spec *spec = spec_of("3*geometric:eps=1/4");
    pby_enclosure all[2], one;
    mpq_t at[2];
    for (int i = 0; i < 2; i++) {
        pby_enclosure_init(&all[i]);
        mpq_init(at[i]);
        mpq_set_ui(at[i], 1, i == 0 ? 100 : 10000);
    }
    pby_enclosure_init(&one);
    is(pby_loss(all, PBY_ASK_EPSILON, spec, PBY_ADD_REMOVE, at[0], &(pby_loss_options){.count = 2}, &err));
    for (int i = 0; i < 2; i++) {
        is(pby_loss(&one, PBY_ASK_EPSILON, spec, PBY_ADD_REMOVE, at[i], NULL, &err));
        cr_assert(mpfr_equal_p(one.lo, all[i].lo) && mpfr_equal_p(one.hi, all[i].hi));
        pby_enclosure_clear(&all[i]);
        mpq_clear(at[i]);
    }
    pby_enclosure_clear(&one);
    pby_spec_free(spec);
}

Test(worded, certificates_and_ledgers)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE], *one, *two;
    pby_spec *spec = spec_of("stlap:eps=1/2,q=40");
    pby_ledger *ledger;
    pby_decimals delta, epsilon;
    mpq_t half;
    mpq_init(half);
    mpq_set_ui(half, 1, 2);
    is(pby_certify(&one, spec, PBY_ADD_REMOVE, half, &err));
    is(pby_certify_text(&two, spec, PBY_ADD_REMOVE, "0.5", NULL, &err));
    cr_assert_str_eq(one, two);
    free(one);
    free(two);
    is(pby_certify_accuracy(&one, spec, PBY_ADD_REMOVE, half, &(pby_input_class){1000, 10, NULL}, &err));
    is(pby_certify_text(&two, spec, PBY_ADD_REMOVE, "0.5", &(pby_certify_words){.n = 1000, .support = 10},
                        &err));
    cr_assert_str_eq(one, two);
    free(one);
    free(two);
    cr_assert_eq(
        pby_certify_text(&two, spec, PBY_ADD_REMOVE, "1/2", &(pby_certify_words){.delta = "1e-9"}, &err),
        PBY_NO);
    is_refused(pby_certify_text(&two, spec, PBY_ADD_REMOVE, "1/2", &(pby_certify_words){.delta = "x"}, &err),
               "delta 'x'");
    cr_assert_null(two);
    pby_folder_make(folder);
    pby_folder_path(path, folder, "budget");
    is(pby_ledger_create_text(path, PBY_ADD_REMOVE, PBY_COMPOSE_BASIC, 1, "0.7", "1e-3", &err));
    is(pby_ledger_open(&ledger, path, &err));
    is(pby_ledger_budget_text(&one, &two, ledger, &err));
    is_text(one, "0.7");
    is_text(two, "0.001");
    is(pby_ledger_affords_text(ledger, spec, "1/2", &err));
    is(pby_ledger_spend_text(ledger, spec, "1/2", &err));
    is_refused(pby_ledger_spend_text(ledger, spec, "1/0", &err), "epsilon '1/0'");
    cr_assert_eq(pby_ledger_spend_text(ledger, spec, "1/2", &err), PBY_NO);
    is(pby_ledger_spent_text(&delta, &epsilon, ledger, 5, &err));
    cr_assert_str_eq(epsilon.lo, "0.5");
    cr_assert_str_eq(delta.hi, "1.4727e-05");
    is(pby_ledger_spent_text(NULL, &epsilon, ledger, 0, &err));
    pby_ledger_close(ledger);
    pby_folder_remove(folder);
    mpq_clear(half);
    pby_spec_free(spec);
}

Test(worded, choices_and_plans)
{
    pby_choice *choice;
    pby_decimals loss;
    char *value;
    const pby_target_words target = {
        .epsilon = "1/2", .delta = "1e-6", .relation = PBY_ADD_REMOVE, .uses = 1};
    is(pby_select_text(&choice, "stlap", &target, &err));
    cr_assert_str_eq(pby_spec_text(pby_choice_spec(choice, PBY_CHOSEN)), "stlap:eps=1/2,q=51");
    is(pby_choice_text(&value, &loss, choice, PBY_CHOSEN, 5, &err));
    is_text(value, "51");
    cr_assert_leq(atof(loss.hi), 1e-6);
    is(pby_choice_text(NULL, &loss, choice, PBY_BETTER, 5, &err));
    cr_assert_gt(atof(loss.lo), 1e-6);
    pby_choice_free(choice);
    is_refused(pby_select_text(&choice, "stlap", &(pby_target_words){.uses = 1}, &err), "epsilon: expected");
    cr_assert_null(choice);
    is(pby_select_text(&choice, "dgauss", &(pby_target_words){.rho = "1/8", .uses = 1}, &err));
    is(pby_choice_text(NULL, &loss, choice, PBY_CHOSEN, 5, &err));
    cr_assert_leq(atof(loss.hi), 0.125);
    pby_choice_free(choice);
    pby_plan_words plan;
    const pby_bucketed_words points = {"40", "1", 1000000, 1};
    is(pby_plan_text(&plan, &points, "10", NULL, NULL, &err));
    cr_assert_str_eq(plan.width, "0.1");
    cr_assert_str_eq(plan.beta, "0.05");
    pby_plan_words_clear(&plan);
    is(pby_plan_text(&plan, &points, NULL, "0.05", NULL, &err));
    cr_assert_str_eq(plan.side, "10");
    pby_plan_words_clear(&plan);
    is_refused(pby_plan_text(&plan, &points, "1/2", NULL, NULL, &err), "side: expected");
    is_refused(pby_plan_text(&plan, &points, "1", "1", NULL, &err), "points: expected");
    pby_spec *partition = spec_of("partition:eps=1,delta=1e-6");
    bool sure;
    is(pby_partition_chance_text(&loss, &sure, partition, 1, 9, &err));
    cr_assert(!sure && atof(loss.hi) > 0 && atof(loss.hi) < 1e-5);
    pby_spec_free(partition);
}

Test(worded, audits)
{
    pby_audit *audit;
    pby_verdict *verdict;
    pby_conformance *test;
    pby_spec *spec = spec_of("geometric:eps=1");
    bool violation;
    char *text;
    is(pby_audit_new(&audit, &err));
    for (int i = 0; i < 2000; i++) {
        is(pby_audit_add(audit, PBY_LEFT, "a", 1, &err));
        is(pby_audit_add(audit, PBY_RIGHT, "b", 1, &err));
    }
    is(pby_audit_settle(audit, &err));
    is(pby_audit_judge(&verdict, audit, pby_value_text("1"), pby_value_text("0"), pby_value_text("1e-3"),
                       &err));
    cr_assert(pby_verdict_violation(verdict));
    pby_verdict_free(verdict);
    is_refused(
        pby_audit_judge(&verdict, audit, pby_value_text("1"), pby_value_text("0"), pby_value_text(""), &err),
        "error ''");
    cr_assert_null(verdict);
    pby_audit_free(audit);
    is(pby_audit_look_error_text(&text, "1/10", 3, &err));
    is_text(text, "1/120");
    is(pby_conformance_new(&test, spec, &err));
    for (int i = 0; i < 1000; i++)
        is(pby_conformance_add(test, "7", 1, &err));
    is(pby_conformance_judge(&violation, &text, test, pby_value_text("1e-3"), &err));
    cr_assert(violation);
    free(text);
    pby_conformance_free(test);
    pby_spec_free(spec);
}

Test(worded, points_and_units)
{
    static const char *const in[] = {"0.1", "1/3"}, *const out[] = {"9", "0"},
                             *const none[] = {"0", "secret"};
    pby_spec *spec = spec_of("buckethist:eps=1,q=4,bound=1,width=1/4,dimension=2"),
             *laplace = spec_of("laplace:scale=1,grid=1/4");
    pby_bucketing *p;
    pby_release *release;
    char *text;
    size_t n;
    is(pby_bucketing_new(&p, spec, &err));
    is(pby_bucketing_add_text(p, in, &err));
    cr_assert_eq(pby_bucketing_add_text(p, out, &err), PBY_BAD);
    is_refused(pby_bucketing_add_text(p, none, &err), "coordinate 2: expected a number");
    cr_assert_null(strstr(err.text, "secret"));
    is(pby_bucketing_close(p, &err));
    const int64_t *counts = pby_bucketing_counts(p, &n);
    cr_assert_eq(n, 16);
    cr_assert_eq(counts[1], 1);
    is(pby_bucketing_centre_text(&text, p, 1, &err));
    is_text(text, "0.125 0.375");
    pby_bucketing_free(p);
    is(pby_release_new(&release, laplace, PBY_ADD_REMOVE, &err));
    is(pby_release_unit_text(&text, release, &err));
    is_text(text, "0.25");
    pby_release_free(release);
    pby_spec_free(laplace);
    laplace = spec_of("exponential:eps=1000");
    uint64_t chosen;
    is(pby_release_new(&release, laplace, PBY_ADD_REMOVE, &err));
    is(pby_release_score_text(release, "1/2", &err));
    is(pby_release_score_text(release, "1000.5", &err));
    is_refused(pby_release_score_text(release, "4711x", &err), "score: expected a number");
    cr_assert_null(strstr(err.text, "4711"));
    is(pby_release_candidate(release, &chosen, &err));
    cr_assert_eq(chosen, 1, "the other has a chance below exp(-1000)");
    pby_release_free(release);
    pby_spec_free(laplace);
    pby_spec_free(spec);
}

Test(worded, distances_and_accuracy)
{
    pby_measure *p, *q;
    char *text;
    is(pby_measure_new(&p, &err));
    is(pby_measure_new(&q, &err));
    is(pby_measure_add_text(p, "0", "3", &err));
    is(pby_measure_add_text(p, "1", "1", &err));
    is(pby_measure_add_text(q, "0", "3", &err));
    is_refused(pby_measure_add_text(q, "zero", "1", &err), "at 'zero'");
    is(pby_lossy_distance_text(&text, p, q, "0", &err));
    is_text(text, "1");
    is(pby_lossy_distance_text(&text, p, q, "1/4", &err));
    is_text(text, "0");
    is(pby_lossy_average_text(&text, p, q, "0", &err));
    is_text(text, "0.25");
    is(pby_total_variation_text(&text, p, q, &err));
    is_text(text, "0.25");
    is(pby_distortion_drop_text(&text, p, q, &err));
    is_text(text, "0.25");
    is(pby_distortion_drop_text(&text, q, p, &err));
    is_text(text, "inf");
    is(pby_distortion_move_text(&text, p, q, &err));
    is_text(text, "inf");
    is(pby_distortion_drop_move_text(&text, p, q, "1", &err));
    is_text(text, "0.25");
    pby_measure_free(p);
    pby_measure_free(q);
}

/* Three points on a line, 0, 1 and 3, and one that nothing reaches. */
Test(worded, distances_of_a_finite_metric)
{
    static const char *const metric[] = {"0", "1", "3",   "inf", "1",   "0",   "2",   "inf",
                                         "3", "2", "0.0", "inf", "inf", "inf", "inf", "0"};
    static const char *const p[] = {"1/2", "1/2", "0", "0"}, *const q[] = {"1/2", "0", "1/2", "0"},
                             *const far[] = {"1/2", "0", "0", "1/2"}, *const bad[] = {"1/2", "x", "0", "0"};
    char *text;
    is(pby_metric_lossy_text(&text, p, q, metric, 4, "0", &err));
    is_text(text, "2");
    is(pby_metric_lossy_text(&text, p, q, metric, 4, "1/2", &err));
    is_text(text, "0");
    is(pby_metric_average_text(&text, p, q, metric, 4, "0", &err));
    is_text(text, "1");
    is(pby_metric_move_text(&text, p, q, metric, 4, &err));
    is_text(text, "2");
    is(pby_metric_move_text(&text, p, far, metric, 4, &err));
    is_text(text, "inf");
    is(pby_metric_drop_move_text(&text, p, q, metric, 4, "1/4", &err));
    is_text(text, "0.5");
    is_refused(pby_metric_lossy_text(&text, bad, q, metric, 4, "0", &err), "mass 'x'");
    cr_assert_null(text);
    is_refused(pby_metric_lossy_text(&text, p, q, p, 1, "y", &err), "gamma 'y'");
    is_refused(pby_metric_move_text(&text, p, q, (const char *const[]){"-1"}, 1, &err), "metric '-1'");
}

/* x -> x mod 2 of 0 .. 3, in the distance of the line. */
Test(worded, sensitivities)
{
    static const size_t f[] = {0, 1, 0, 1}, m[] = {0, 0, 1, 1};
    static const char *const line[] = {"0", "1", "2", "3", "1", "0", "1", "2",
                                       "2", "1", "0", "1", "3", "2", "1", "0"},
                             *const sides[] = {"0", "1", "1", "0"};
    const pby_finite_function parity = {f, 4, 2}, half = {m, 4, 2};
    pby_error_sensitivity_words at = {line, line, sides, "0", "1", "0", "0"};
    pby_statistic statistic;
    char *text;
    is(pby_distortion_sensitivity_text(&text, &parity, line, sides, "1", &err));
    is_text(text, "1");
    is(pby_distortion_sensitivity_text(&text, &half, line, sides, "1", &err));
    is_text(text, "2");
    is(pby_metric_sensitivity_text(&text, &half, line, sides, "0", &err));
    is_text(text, "0");
    is(pby_metric_sensitivity_text(&text, &half, line, sides, "1", &err));
    is_text(text, "1");
    is(pby_error_sensitivity_text(&text, &half, &half, &at, &err));
    is_text(text, "1");
    at.alpha2 = "1";
    is(pby_error_sensitivity_text(&text, &half, &half, &at, &err));
    is_text(text, "0");
    at.gamma1 = "-";
    is_refused(pby_error_sensitivity_text(&text, &half, &half, &at, &err), "gamma1 '-'");
    is_refused(pby_metric_sensitivity_text(&text, &half, line, sides, "-2", &err), "beta '-2'");
    is(pby_statistic_parse(&statistic, "range", NULL, NULL, &err));
    is(pby_statistic_sensitivity_text(&text, &statistic, PBY_METRIC_POINTS, "1/3", &err));
    is_text(text, "2/3");
    is(pby_statistic_sensitivity_text(&text, &statistic, PBY_METRIC_COUNTS, "1", &err));
    is_text(text, "inf");
}

static void are(pby_accuracy_words *words, const char *alpha, const char *beta, const char *gamma)
{
    cr_assert_str_eq(words->alpha, alpha);
    cr_assert_str_eq(words->beta, beta);
    cr_assert_str_eq(words->gamma, gamma);
    pby_accuracy_words_clear(words);
}

static char tenth[] = "1/10", third[] = "1/3", hundredth[] = "0.01", inf[] = "inf";

Test(worded, accuracies_of_accuracies)
{
    const pby_accuracy_words first = {tenth, third, hundredth}, none = {inf, inf, hundredth};
    pby_accuracy_words out;
    is(pby_accuracy_compose_text(&out, &first, "0.2", "7", "0.03", &err));
    are(&out, "0.3", "7", "0.03");
    is(pby_accuracy_compose_text(&out, &none, "0.2", "inf", "0", &err));
    are(&out, "inf", "inf", "0");
    is_refused(pby_accuracy_compose_text(&out, &first, "0.2", "t", "0", &err), "tau 't'");
    is(pby_accuracy_drop_move_text(&out, &first, "3", &err));
    are(&out, "1.1", "0", "0.01");
    is_refused(pby_accuracy_drop_move_text(&out, &first, "x", &err), "eta 'x'");
}

Test(worded, the_accuracy_of_a_certificate)
{
    pby_spec *spec = spec_of("stlap:eps=1/2,q=40");
    const pby_certify_words asked[] = {{.n = 3000, .support = 3, .width = "1/2"}, {.support = 0}};
    for (size_t i = 0; i < 2; i++) {
        pby_certificate *certificate;
        pby_accuracy_words out;
        uint64_t n, support;
        char *json, *width;
        is(pby_certify_text(&json, spec, PBY_ADD_REMOVE, "1/2", &asked[i], &err));
        is(pby_verify(&certificate, json, strlen(json), &err));
        is(pby_certificate_accuracy_text(&out, &n, &support, &width, certificate, &err));
        cr_assert_eq(n, asked[i].n);
        cr_assert_eq(support, asked[i].support);
        if (i == 0) {
            is_text(width, "0.5");
            are(&out, "0.04", "0.25", "0");
        } else {
            cr_assert_null(width);
            cr_assert_null(out.alpha);
        }
        is(pby_certificate_accuracy_text(&out, NULL, NULL, NULL, certificate, &err));
        pby_accuracy_words_clear(&out);
        pby_certificate_free(certificate);
        free(json);
    }
    pby_spec_free(spec);
}
