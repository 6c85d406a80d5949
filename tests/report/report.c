/* SPDX-License-Identifier: MIT */
#include "probity/report.h"
#include "probity/compat.h"
#include "probity/experimental/reports.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probity/experimental/accuracy.h"
#include "probity/experimental/estimate.h"
#include "probity/experimental/microdata.h"
#include "probity/family.h"
#include "probity/rational.h"
#include "probity/select.h"
#include "tests/cli/run.h"

static pby_spec *spec_of(const char *text)
{
    pby_spec *spec;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, NULL), PBY_OK);
    return spec;
}

/* The object of a report, which is taken: one line, with a newline behind it. */
static json_t *object_of(char *text)
{
    json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    cr_assert_not_null(object);
    cr_assert_eq(strchr(text, '\n'), text + strlen(text) - 1);
    free(text);
    return object;
}

static const char *string(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    cr_assert_not_null(text, "%s", name);
    return text;
}

/* The arguments of a function are named, and nothing is said of options. */
static void expect_refusal(pby_status status, char **text, const pby_error *err, const char *expected)
{
    cr_assert_eq(status, PBY_BAD);
    cr_assert_null(*text);
    cr_expect(strstr(err->text, expected) == err->text, "%s", err->text);
    cr_expect_null(strstr(err->text, "--"), "%s", err->text);
}

/* ---- loss --------------------------------------------------------------------------------------- */

Test(report, a_loss_is_that_of_the_functions_behind_it)
{
    static const struct {
        pby_question question;
        const char *value, *name;
    } cases[] = {{PBY_ASK_DELTA, "1/2", "delta"}, {PBY_ASK_EPSILON, "1e-3", "epsilon"}};
    pby_spec *spec = spec_of("2*stlap:eps=1/2,q=40");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const pby_loss_request asked = {.ask = cases[i].question, .at.text = cases[i].value, .digits = 7};
        pby_decimals expected;
        char *text, line[3 * PBY_DECIMAL_SIZE];
        cr_assert_eq(pby_loss_text(&expected, NULL, cases[i].question, spec, PBY_ADD_REMOVE, cases[i].value,
                                   NULL, 7, NULL),
                     PBY_OK);
        cr_assert_eq(pby_report_loss(&text, spec, &asked, PBY_REPORT_LINES, NULL), PBY_OK);
        snprintf(line, sizeof line, "%-12s[%s, %s]\n", cases[i].name, expected.lo, expected.hi);
        cr_expect_not_null(strstr(text, line), "%s", text);
        free(text);
        cr_assert_eq(pby_report_loss(&text, spec, &asked, PBY_REPORT_JSON, NULL), PBY_OK);
        json_t *object = object_of(text);
        cr_expect_str_eq(string(json_object_get(object, cases[i].name), "lo"), expected.lo);
        cr_expect_str_eq(string(json_object_get(object, cases[i].name), "hi"), expected.hi);
        json_decref(object);
    }
    pby_spec_free(spec);
}

Test(report, a_loss_refuses_by_the_names_of_arguments)
{
    static const struct {
        pby_loss_request asked;
        const char *expected;
    } cases[] = {
        {{.ask = PBY_ASK_EPSILON, .at.text = "2"}, "delta '2': expected"},
        {{.ask = PBY_ASK_DELTA, .at.text = "x"}, "epsilon 'x': expected"},
        {{.ask = PBY_ASK_RENYI, .at.text = "1/2"}, "order '1/2': expected"},
        {{.ask = PBY_ASK_RHO, .at.text = "-1"}, "xi '-1': expected"},
        {{.ask = PBY_ASK_DELTA, .at.text = "1", .width.text = "1"}, "width '1': expected"},
        {{.ask = PBY_ASK_DELTA, .at.text = "1", .composition = "x"}, "composition 'x': expected"},
        {{.ask = PBY_ASK_DELTA, .at.text = "1", .conversion = "x"}, "conversion 'x': expected"},
    };
    pby_spec *spec = spec_of("geometric:eps=1");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_error err;
        char *text;
        const pby_status status = pby_report_loss(&text, spec, &cases[i].asked, PBY_REPORT_JSON, &err);
        expect_refusal(status, &text, &err, cases[i].expected);
    }
    pby_spec_free(spec);
}

Test(report, a_profile_has_a_line_for_each_point)
{
    pby_spec *spec = spec_of("geometric:eps=1");
    pby_loss_request asked = {.at.text = "0:2:5"};
    pby_error err;
    const char *wider;
    char *text;
    size_t lines = 0;
    cr_assert_eq(pby_report_profile(&text, &wider, spec, &asked, NULL, PBY_REPORT_LINES, &err), PBY_OK);
    cr_expect_null(wider);
    cr_expect(strncmp(text, "epsilon,delta_lo,delta_hi\n0,", 28) == 0, "%s", text);
    for (const char *c = text; *c != '\0'; c++)
        lines += *c == '\n';
    cr_expect_eq(lines, 6);
    free(text);
    cr_assert_eq(pby_report_profile(&text, &wider, spec, &asked, NULL, PBY_REPORT_JSON, &err), PBY_OK);
    json_t *object = object_of(text);
    cr_expect_eq(json_array_size(json_object_get(object, "profile")), 5);
    json_decref(object);
    asked.at.text = "2:0:5";
    expect_refusal(pby_report_profile(&text, &wider, spec, &asked, NULL, PBY_REPORT_LINES, &err), &text, &err,
                   "profile '2:0:5': expected");
    asked = (pby_loss_request){.at.text = "0:1:3", .composition = "basic"};
    expect_refusal(pby_report_profile(&text, &wider, spec, &asked, NULL, PBY_REPORT_LINES, &err), &text, &err,
                   "composition 'basic': expected exact");
    cr_expect_eq(pby_report_profile(NULL, &wider, spec, &asked, "x.gif", PBY_REPORT_LINES, &err), PBY_BAD);
    pby_spec_free(spec);
}

/* Two inputs whose chances are 2 to 1: alpha is log 2, at distance 1. */
Test(report, a_channel_and_a_mechanism_have_a_least_alpha)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE], *text;
    pby_spec *spec = spec_of("geometric:eps=1/2");
    pby_error err;
    bool holds;
    pby_folder_make(folder);
    pby_folder_path(path, folder, "channel.csv");
    pby_write_file(path, "i,a,b\n0,2/3,1/3\n1,1/3,2/3\n");
    pby_condensed_asked asked = {.channel = path, .metric = "line", .alpha = "7/10", .digits = 3};
    cr_assert_eq(pby_report_condensed(&text, &holds, &asked, PBY_REPORT_JSON, &err), PBY_OK, "%s", err.text);
    json_t *object = object_of(text);
    cr_expect(holds && json_is_true(json_object_get(object, "holds")));
    cr_expect_str_eq(string(json_object_get(object, "alpha"), "lo"), "0.693");
    json_decref(object);
    asked.alpha = "-1";
    expect_refusal(pby_report_condensed(&text, &holds, &asked, PBY_REPORT_JSON, &err), &text, &err,
                   "alpha '-1': expected");
    asked.metric = asked.alpha = NULL;
    expect_refusal(pby_report_condensed(&text, &holds, &asked, PBY_REPORT_JSON, &err), &text, &err,
                   "channel: expected a table and a metric");
    asked = (pby_condensed_asked){.spec = spec, .distance = 2, .alpha = "1/3"};
    cr_assert_eq(pby_report_condensed(&text, &holds, &asked, PBY_REPORT_LINES, &err), PBY_OK, "%s", err.text);
    cr_expect(!holds && strncmp(text, "alpha       0.5  ", 17) == 0, "%s", text);
    free(text);
    asked.distance = 1001;
    expect_refusal(pby_report_condensed(&text, &holds, &asked, PBY_REPORT_LINES, &err), &text, &err,
                   "distance '1001': expected");
    pby_spec_free(spec);
    pby_folder_remove(folder);
}

/* ---- accuracy ----------------------------------------------------------------------------------- */

Test(report, an_accuracy_is_that_of_the_functions_behind_it)
{
    const pby_accuracy_asked asked = {.n = "3000", .support = "3", .width = "1/2", .statistics = "max"};
    const pby_accuracy_request request = {.n = 3000, .support = 3, .width = {.text = "1/2"}};
    pby_spec *spec = spec_of("stlap:eps=1/2,q=40");
    pby_accuracy_answer expected;
    char *text;
    pby_accuracy_answer_init(&expected);
    cr_assert_eq(pby_accuracy_ask(&expected, spec, &request, NULL), PBY_OK);
    cr_assert_eq(pby_report_accuracy(&text, spec, &asked, PBY_REPORT_JSON, NULL), PBY_OK);
    json_t *object = object_of(text), *release = json_object_get(object, "release"),
           *statistics = json_object_get(object, "statistics");
    cr_expect_eq(json_integer_value(json_object_get(object, "bar_loss")), (json_int_t)expected.bar_loss);
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    cr_assert_eq(pby_rational_parse(x, "", string(release, "alpha"), NULL), PBY_OK);
    cr_assert_eq(pby_rational_parse(y, "", expected.release.alpha, NULL), PBY_OK);
    cr_expect(mpq_equal(x, y));
    mpq_clears(x, y, NULL);
    cr_expect_eq(json_object_size(statistics), 1);
    cr_expect_not_null(json_object_get(statistics, "max"));
    json_decref(object);
    pby_accuracy_answer_clear(&expected);
    pby_spec_free(spec);
}

Test(report, an_accuracy_refuses_by_the_names_of_arguments)
{
    static const struct {
        const char *spec;
        pby_accuracy_asked asked;
        const char *expected;
    } cases[] = {
        {"stlap:eps=1/2,q=40", {.n = "10"}, "inputs: expected n and support"},
        {"stlap:eps=1/2,q=40", {.n = "0", .support = "1"}, "n '0': expected an integer from 1"},
        {"stlap:eps=1/2,q=40", {.n = "9", .support = "1", .beta = "1"}, "beta '1': expected it with"},
        {"stlap:eps=1/2,q=40", {.n = "9", .support = "1", .k = "1"}, "k of statistics '1': expected it with"},
        {"stlap:eps=1/2,q=40",
         {.n = "9", .support = "1", .statistics = "max,max"},
         "statistics 'max': expected each name once"},
        {"geometric:eps=1", {.eta = "1", .gamma = "1/2"}, "eta '1': expected it with"},
        {"geometric:eps=1", {.gamma = "2"}, "gamma '2': expected a rational from 0 to 1"},
        {"rr:eps=1", {.support = "2", .gamma = "1/2"}, "inputs: expected n, how many users report"},
        {"dgauss:sigma2=9", {.n = "2", .gamma = "1/2"}, "n '2': expected none"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_spec *spec = spec_of(cases[i].spec);
        pby_error err;
        char *text;
        const pby_status status = pby_report_accuracy(&text, spec, &cases[i].asked, PBY_REPORT_LINES, &err);
        expect_refusal(status, &text, &err, cases[i].expected);
        pby_spec_free(spec);
    }
}

/* One of three keys of 2, 2 and 1 records moves from 2 to 3, and one record too many is at 4. */
Test(report, between_tells_distances_of_two_files)
{
    char folder[PBY_PATH_SIZE], a[PBY_PATH_SIZE], b[PBY_PATH_SIZE], *text;
    pby_error err;
    pby_folder_make(folder);
    pby_folder_path(a, folder, "a.csv");
    pby_folder_path(b, folder, "b.csv");
    pby_write_file(a, "1,2\n2,2\n4,1\n");
    pby_write_file(b, "1,2\n3,2\n4,1\n");
    pby_between_asked asked = {.a = a, .b = b, .average = true};
    cr_assert_eq(pby_report_between(&text, &asked, PBY_REPORT_JSON, &err), PBY_OK, "%s", err.text);
    json_t *object = object_of(text);
    cr_expect_str_eq(string(object, "lossy"), "1");
    cr_expect_str_eq(string(object, "average"), "0.4");
    cr_expect_str_eq(string(object, "variation"), "0.4");
    cr_expect_str_eq(string(object, "drop"), "inf");
    cr_expect_str_eq(string(object, "move"), "1");
    json_decref(object);
    asked.gamma = "2";
    expect_refusal(pby_report_between(&text, &asked, PBY_REPORT_JSON, &err), &text, &err, "gamma '2':");
    pby_folder_remove(folder);
}

/* ---- selection ---------------------------------------------------------------------------------- */

Test(report, a_choice_comes_with_its_mechanism)
{
    const pby_select_asked asked = {.epsilon = "1/2", .delta = "1e-3"};
    const pby_target_words target = {
        .epsilon = "1/2", .delta = "1e-3", .relation = PBY_ADD_REMOVE, .uses = 1};
    pby_choice *choice;
    pby_spec *chosen;
    char *text;
    cr_assert_eq(pby_select_text(&choice, "stlap", &target, NULL), PBY_OK);
    cr_assert_eq(pby_report_choice(&text, &chosen, "stlap", &asked, PBY_REPORT_JSON, NULL), PBY_OK);
    cr_expect_str_eq(pby_spec_text(chosen), pby_spec_text(pby_choice_spec(choice, PBY_CHOSEN)));
    json_t *object = object_of(text);
    cr_expect_str_eq(string(json_object_get(object, "choice"), "spec"), pby_spec_text(chosen));
    json_decref(object);
    pby_spec_free(chosen);
    pby_choice_free(choice);
}

/* Without alpha and beta no buckets are chosen; with one of them their mechanism is. */
Test(report, a_choice_of_buckets_needs_an_aim)
{
    pby_select_asked asked = {.epsilon = "1", .delta = "1e-3", .records = "1e6", .bound = "100"};
    pby_spec *chosen;
    pby_error err;
    char *text;
    cr_assert_eq(pby_report_choice(&text, &chosen, "buckethist", &asked, PBY_REPORT_LINES, &err), PBY_OK);
    cr_expect_null(chosen);
    free(text);
    asked.beta = "1";
    cr_assert_eq(pby_report_choice(&text, &chosen, "buckethist", &asked, PBY_REPORT_LINES, &err), PBY_OK);
    cr_expect(strncmp(pby_spec_text(chosen), "buckethist:", 11) == 0);
    free(text);
    pby_spec_free(chosen);
    expect_refusal(pby_report_choice(&text, &chosen, "stlap", &asked, PBY_REPORT_LINES, &err), &text, &err,
                   "records '1e6': expected it with a plan of buckets");
    cr_expect_null(chosen);
    asked.bound = NULL;
    expect_refusal(pby_report_choice(&text, &chosen, "buckethist", &asked, PBY_REPORT_LINES, &err), &text,
                   &err, "buckets: expected records and bound");
    expect_refusal(
        pby_report_choice(&text, NULL, "stlap", &(pby_select_asked){.delta = "1/9"}, PBY_REPORT_LINES, &err),
        &text, &err, "epsilon: expected this and delta, rho, or mu");
}

/* ---- explanations ------------------------------------------------------------------------------- */

Test(report, an_explanation_has_lines_an_object_and_a_page)
{
    pby_spec *spec = spec_of("stlap:eps=1/2,q=40");
    char *text, *page;
    cr_assert_eq(pby_report_explanation(&text, &page, spec, PBY_ADD_REMOVE, 0, PBY_REPORT_LINES, NULL),
                 PBY_OK);
    cr_expect(strncmp(text, "mechanism   stlap:eps=1/2,q=40\n", 31) == 0, "%s", text);
    cr_expect(strncmp(page, "<!DOCTYPE html>", 15) == 0 || strncmp(page, "<!doctype html>", 15) == 0);
    free(text);
    free(page);
    cr_assert_eq(pby_report_explanation(&text, NULL, spec, PBY_ADD_REMOVE, 5, PBY_REPORT_JSON, NULL), PBY_OK);
    json_t *object = object_of(text);
    cr_expect_str_eq(string(object, "family"), "stlap");
    json_decref(object);
    pby_spec_free(spec);
}

/* ---- ledgers ------------------------------------------------------------------------------------ */

Test(report, a_ledger_is_told_whole)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE], *text;
    pby_ledger *ledger;
    pby_spec *spec = spec_of("geometric:eps=1/4");
    pby_folder_make(folder);
    pby_folder_path(path, folder, "ledger");
    cr_assert_eq(pby_ledger_create_text(path, PBY_ADD_REMOVE, PBY_COMPOSE_EXACT, 1, "1", "1e-6", NULL),
                 PBY_OK);
    cr_assert_eq(pby_ledger_open(&ledger, path, NULL), PBY_OK);
    for (int i = 0; i < 3; i++)
        cr_assert_eq(pby_ledger_spend(ledger, spec, NULL, NULL), PBY_OK);
    cr_assert_eq(pby_report_ledger(&text, ledger, PBY_REPORT_JSON, NULL), PBY_OK);
    json_t *object = object_of(text), *entries = json_object_get(object, "entries");
    cr_expect_str_eq(string(json_object_get(object, "budget"), "delta"), "1/1000000");
    cr_assert_eq(json_array_size(entries), 3);
    cr_expect_str_eq(string(json_array_get(entries, 2), "spec"), "geometric:eps=1/4");
    json_decref(object);
    cr_assert_eq(pby_report_ledger(&text, ledger, PBY_REPORT_LINES, NULL), PBY_OK);
    cr_expect_not_null(strstr(text, "\n     3  "));
    free(text);
    pby_ledger_close(ledger);
    pby_spec_free(spec);
    pby_folder_remove(folder);
}

/* ---- estimates and data ------------------------------------------------------------------------- */

/* A folder with one file in it. */
static void file_of(char folder[PBY_PATH_SIZE], char path[PBY_PATH_SIZE], const char *text)
{
    pby_folder_make(folder);
    pby_folder_path(path, folder, "data.csv");
    pby_write_file(path, text);
}

Test(report, estimates_are_those_of_the_functions_behind_them)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE], *text;
    pby_spec *spec = spec_of("krr:eps=1,k=3");
    pby_error err;
    file_of(folder, path, "0\n2\n2\n");
    pby_estimates_asked asked = {.reports = path, .error = "1/100", .digits = 5};
    cr_assert_eq(pby_report_estimates(&text, spec, &asked, PBY_REPORT_JSON, NULL), PBY_OK);
    json_t *object = object_of(text);
    cr_expect_str_eq(string(object, "error"), "0.01");
    pby_reports *reports;
    pby_estimates *estimates;
    pby_estimate_words words;
    cr_assert_eq(pby_reports_new(&reports, spec, NULL), PBY_OK);
    cr_assert_eq(pby_reports_read(reports, path, NULL), PBY_OK);
    cr_assert_eq(pby_estimates_new(&estimates, reports, pby_value_text("1/100"), 5, NULL), PBY_OK);
    pby_estimates_at_text(&words, estimates, 2, 5);
    const json_t *last = json_array_get(json_object_get(object, "estimates"), 2);
    cr_expect_eq(json_integer_value(json_object_get(last, "reports")), 2);
    cr_expect_str_eq(string(json_object_get(last, "variance_none"), "lo"), words.none.lo);
    cr_expect_str_eq(string(json_object_get(last, "estimate"), "hi"), words.value.hi);
    json_decref(object);
    pby_estimates_free(estimates);
    pby_reports_free(reports);
    asked.error = "1";
    expect_refusal(pby_report_estimates(&text, spec, &asked, PBY_REPORT_LINES, &err), &text, &err,
                   "error '1': expected a rational above 0 and below 1");
    pby_spec_free(spec);
    pby_folder_remove(folder);
}

Test(report, a_statistic_is_a_key_and_says_when_the_order_is_doubtful)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE], *text;
    pby_statistic most;
    bool mixed;
    cr_assert_eq(pby_statistic_parse(&most, "max", NULL, NULL, NULL), PBY_OK);
    file_of(folder, path, "7,3\n9,2\nb,1\n8,0\n");
    cr_assert_eq(pby_report_statistic(&text, &mixed, &most, path, PBY_REPORT_LINES, NULL), PBY_OK);
    cr_expect_str_eq(text, "b\n");
    cr_expect(mixed);
    free(text);
    pby_write_file(path, "7,3\n9,2\n8,0\n");
    cr_assert_eq(pby_report_statistic(&text, &mixed, &most, path, PBY_REPORT_JSON, NULL), PBY_OK);
    cr_expect_str_eq(text, "{\"statistic\": \"max\", \"order\": \"numbers\", \"value\": \"9\"}\n");
    cr_expect_not(mixed);
    free(text);
    pby_folder_remove(folder);
}

Test(report, anonymity_is_the_smallest_class)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE], *text;
    uint64_t least;
    pby_error err;
    file_of(folder, path, "zip,sex\n1,f\n1,f\n1,m\n2,f\n2,f\n");
    cr_assert_eq(pby_report_anonymity(&text, &least, path, "zip", PBY_REPORT_JSON, NULL), PBY_OK);
    cr_expect_eq(least, 2);
    cr_expect_str_eq(text, "{\"statistic\": \"anonymity\", \"quasi\": [\"zip\"], \"value\": 2, \"records\": "
                           "5, \"classes\": 2, \"sizes\": [{\"records\": 2, \"classes\": 1}, {\"records\": "
                           "3, \"classes\": 1}], \"private\": false}\n");
    free(text);
    expect_refusal(pby_report_anonymity(&text, &least, path, "age", PBY_REPORT_LINES, &err), &text, &err,
                   "quasi 'age': expected the name of a column");
    cr_expect_eq(least, 0);
    pby_folder_remove(folder);
}

Test(report, weights_are_csv_or_an_object_and_have_errors)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE], *text;
    pby_spec *spec = spec_of("microdata:eps=1");
    pby_decimals bar;
    file_of(folder, path, "shop,count\n\"a,b\",3\nc,-2\ntotal,2\n");
    cr_assert_eq(pby_report_weights(&text, path, PBY_REPORT_LINES, NULL), PBY_OK);
    cr_expect_str_eq(text, "shop,weight\n\"a,b\",2\nc,0\n");
    free(text);
    cr_assert_eq(pby_report_weights(&text, path, PBY_REPORT_JSON, NULL), PBY_OK);
    cr_expect_str_eq(text, "{\"total\": 2, \"level\": \"1\", \"positive\": 1, \"weights\": [{\"key\": "
                           "\"a,b\", \"weight\": \"2\"}, {\"key\": \"c\", \"weight\": \"0\"}]}\n");
    free(text);
    cr_assert_eq(pby_report_weights_errors(&text, spec, 7, NULL, 6, PBY_REPORT_JSON, NULL), PBY_OK);
    cr_assert_eq(pby_weights_error_text(&bar, PBY_WEIGHTS_BAR, spec, 7, NULL, 6, NULL), PBY_OK);
    json_t *object = object_of(text);
    cr_expect_str_eq(string(json_object_get(object, "bar"), "hi"), bar.hi);
    cr_expect_eq(json_integer_value(json_object_get(object, "bars")), 7);
    json_decref(object);
    pby_spec_free(spec);
    pby_folder_remove(folder);
}

/* ---- certificates ------------------------------------------------------------------------------- */

Test(report, a_certificate_is_told_with_what_was_checked)
{
    pby_spec *spec = spec_of("geometric:eps=1/2");
    const pby_certify_words asked = {.support = 3, .beta = "4"};
    pby_certificate *certificate;
    char *written, *text;
    cr_assert_eq(pby_certify_text(&written, spec, PBY_ADD_REMOVE, "1/2", &asked, NULL), PBY_OK);
    cr_assert_eq(pby_verify(&certificate, written, strlen(written), NULL), PBY_OK);
    cr_assert_eq(pby_report_certificate(&text, certificate, NULL, PBY_REPORT_JSON, NULL), PBY_OK);
    json_t *object = object_of(text);
    cr_expect(json_is_true(json_object_get(object, "holds")));
    cr_expect_str_eq(string(object, "spec"), "geometric:eps=1/2");
    cr_expect_not_null(strstr(string(object, "accuracy"), "on at most 3 bars"));
    cr_expect_null(json_object_get(object, "signer"));
    json_decref(object);
    cr_assert_eq(pby_report_certificate(&text, certificate, NULL, PBY_REPORT_LINES, NULL), PBY_OK);
    cr_expect_not_null(strstr(text, "\n            accuracy, alpha and beta exactly"), "%s", text);
    free(text);
    free(written);
    pby_certificate_free(certificate);
    pby_spec_free(spec);
}

/* ---- families ----------------------------------------------------------------------------------- */

Test(report, every_family_is_listed)
{
    char *text;
    cr_assert_eq(pby_report_families(&text, NULL), PBY_OK);
    json_t *list = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    free(text);
    cr_assert_eq(json_array_size(list), pby_family_count());
    for (size_t i = 0; i < json_array_size(list); i++)
        cr_expect_str_eq(string(json_array_get(list, i), "name"), pby_family_name(pby_family_at(i)));
    json_decref(list);
}
