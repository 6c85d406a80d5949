/* SPDX-License-Identifier: MIT */
#include "report/loss/report_points.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number/exact.h"
#include "probity/rational.h"
#include "tests/cli/run.h"

/* ---- the points ------------------------------------------------------------------------------- */

Test(profile, points_go_from_end_to_end)
{
    static const char *const expected[] = {"-0.5", "-1/6", "1/6", "0.5"};
    pby_profile_points points;
    mpq_t lo, hi;
    mpq_inits(lo, hi, NULL);
    mpq_set_si(lo, -1, 2);
    mpq_set_si(hi, 1, 2);
    cr_assert_eq(pby_profile_points_space(&points, lo, hi, 4, NULL), PBY_OK);
    mpq_clears(lo, hi, NULL);
    cr_assert_eq(points.count, 4);
    for (size_t i = 0; i < 4; i++) {
        char *text = pby_exact_text(points.epsilon + i);
        cr_assert_str_eq(text, expected[i]);
        free(text);
    }
    pby_profile_points_clear(&points);
}

Test(profile, exact_text_of_a_rational)
{
    static const char *const cases[][2] = {
        {"0", "0"},           {"7", "7"},     {"-7/2", "-3.5"},    {"1/1000", "0.001"}, {"3/40", "0.075"},
        {"-1/80", "-0.0125"}, {"1/3", "1/3"}, {"1e-5", "0.00001"}, {"22/7", "22/7"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mpq_t q;
        mpq_init(q);
        cr_assert_eq(pby_rational_parse(q, "", cases[i][0], NULL), PBY_OK);
        char *text = pby_exact_text(q);
        cr_assert_str_eq(text, cases[i][1]);
        free(text);
        mpq_clear(q);
    }
}

Test(profile, bad_ranges)
{
    static const char *const bad[] = {"",        "0:1",   "0:1:1",  "1:0:5",      "0:0:5",    "0:1:x",
                                      "0:1:2.5", "a:1:5", "0:1:5:", "0:1:100001", "0:1e9:-3", "0::5"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        PBY_REFUSED(2, "expected LO:HI:N", NULL, "loss", "pure:eps=1", "--profile", bad[i]);
}

/* ---- the command ------------------------------------------------------------------------------ */

Test(profile, csv)
{
    const pby_run *r = PBY_RUN(NULL, "loss", "geometric:eps=1,sensitivity=4", "--profile", "0:2:5");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_eq(r->out, "epsilon,delta_lo,delta_hi\n"
                             "0,0.39346934,0.393469341\n"
                             "0.5,0.221199216,0.221199217\n"
                             "1,0,0\n1.5,0,0\n2,0,0\n");
}

Test(profile, json)
{
    const pby_run *r = PBY_RUN(NULL, "loss", "pure:eps=1", "--profile", "1:2:3", "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    json_t *o = json_loads(r->out, JSON_REJECT_DUPLICATES, NULL), *list = json_object_get(o, "profile");
    cr_assert_str_eq(json_string_value(json_object_get(o, "spec")), "pure:eps=1");
    cr_assert_eq(json_array_size(list), 3);
    cr_assert_str_eq(json_string_value(json_object_get(json_array_get(list, 1), "epsilon")), "1.5");
    const json_t *delta = json_object_get(json_array_get(list, 1), "delta");
    cr_assert_str_eq(json_string_value(json_object_get(delta, "hi")), "0");
    json_decref(o);
}

/* A point of a profile is what --epsilon answers. */
Test(profile, agrees_with_epsilon)
{
    char line[256];
    const pby_run *r = PBY_RUN(NULL, "loss", "zcdp:rho=1/20", "--profile", "0:1/4:2", "--digits", "12");
    const char *last = strstr(r->out, "\n0.25,");
    cr_assert_not_null(last, "%s", r->out);
    snprintf(line, sizeof line, "%s", last + 6);
    line[strcspn(line, "\n")] = '\0';
    char *hi = strchr(line, ',');
    *hi++ = '\0';
    r = PBY_RUN(NULL, "loss", "zcdp:rho=1/20", "--epsilon", "1/4", "--digits", "12");
    cr_assert(strstr(r->out, line) != NULL && strstr(r->out, hi) != NULL, "%s", r->out);
}

Test(profile, refusals)
{
    PBY_REFUSED(2, "--profile '3:2:5': expected LO:HI:N", NULL, "loss", "pure:eps=1", "--profile", "3:2:5");
    PBY_REFUSED(2, "not both", NULL, "loss", "pure:eps=1", "--profile", "0:2:5", "--epsilon", "1");
    PBY_REFUSED(2, "conversion 'x': expected one of pure-to-renyi", NULL, "loss", "pure:eps=1", "--profile",
                "0:2:5", "--conversion", "x");
}

/* ---- the other questions of the command ------------------------------------------------------- */

static void expect_line(const char *line, const char *const *arguments)
{
    const pby_run *r = pby_run_command(NULL, arguments);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, line), "no '%s' in\n%s", line, r->out);
}

Test(profile, orders_and_rho_on_the_command_line)
{
    expect_line("\nrenyi       [0.00995858439, 0.0099585844]\n",
                PBY_ARGUMENTS("loss", "pure:eps=1/10", "--order", "2"));
    expect_line("\nrenyi       inf\n", PBY_ARGUMENTS("loss", "stlap:eps=1/2,q=40", "--order", "3/2"));
    expect_line("\napproximate [0.14881237, 0.148812371]",
                PBY_ARGUMENTS("loss", "stlap:eps=1/2,q=40", "--order", "3/2"));
    expect_line("\nepsilon     [0.99752879, 0.99813446]\n",
                PBY_ARGUMENTS("loss", "stlap:eps=1/2,q=40", "--group", "2", "--delta", "1e-3"));
    expect_line("\nepsilon     inf\n",
                PBY_ARGUMENTS("loss", "approx:eps=1/10,delta=1e-6", "--group", "3", "--delta", "1e-7"));
    expect_line("\nrho         0.5\n", PBY_ARGUMENTS("loss", "gauss:sigma2=1", "--zcdp"));
    expect_line("\nrho         2\n", PBY_ARGUMENTS("loss", "zcdp:rho=1,xi=1", "--zcdp"));
    expect_line("\nrho         1\n", PBY_ARGUMENTS("loss", "zcdp:rho=1,xi=1", "--zcdp", "--xi", "1"));
    expect_line("\"renyi\": {\"lo\": \"2\", \"hi\": \"2\"}",
                PBY_ARGUMENTS("loss", "pure:eps=2", "--order", "inf", "--json"));
    expect_line("\"approximate\": {\"rho\"", PBY_ARGUMENTS("loss", "stlap:eps=1/2,q=40", "--zcdp", "--json"));
}

Test(profile, groups_and_conversions_on_the_command_line)
{
    expect_line("\ngroup       3, as geometric:eps=3,sensitivity=3\n",
                PBY_ARGUMENTS("loss", "geometric:eps=1", "--group", "3", "--epsilon", "3"));
    expect_line("\ndelta       0\n",
                PBY_ARGUMENTS("loss", "geometric:eps=1", "--group", "3", "--epsilon", "3"));
    expect_line("\ndelta       [3.32657367e-06, 3.32657368e-06]\n",
                PBY_ARGUMENTS("loss", "approx:eps=1/10,delta=1e-6", "--group", "3", "--epsilon", "3/10"));
    expect_line("\nrho         0.5\n",
                PBY_ARGUMENTS("loss", "pure:eps=1", "--zcdp", "--conversion", "pure-to-zcdp-classical"));
    expect_line("\"conversion\": \"renyi-to-approx-classical\"",
                PBY_ARGUMENTS("loss", "rdp:order=2,eps=1", "--delta", "1e-3", "--json", "--conversion",
                              "renyi-to-approx-classical"));
    expect_line("\nwider       from what some inputs that far apart lose",
                PBY_ARGUMENTS("loss", "partition:eps=1/2,delta=1/100", "--group", "3", "--epsilon", "1"));
    expect_line("\ngroup       2, as threshold:eps=2,T=6,sensitivity=2,moves=both-ways\n",
                PBY_ARGUMENTS("loss", "threshold:eps=1,T=6", "--group", "2", "--epsilon", "1"));
}

Test(profile, refused_on_the_command_line)
{
    PBY_REFUSED(2, "--order '99/100': expected a rational from 1", NULL, "loss", "pure:eps=1", "--order",
                "99/100");
    PBY_REFUSED(2, "--order '-2': expected a rational from 1", NULL, "loss", "pure:eps=1", "--order", "-2");
    PBY_REFUSED(2, "--delta '3/2': expected a rational from 0", NULL, "loss", "pure:eps=1", "--delta", "3/2");
    PBY_REFUSED(2, "--xi '-1': expected a rational from 0", NULL, "loss", "pure:eps=1", "--zcdp", "--xi",
                "-1");
    PBY_REFUSED(2, "--xi '1': expected --zcdp beside it", NULL, "loss", "pure:eps=1", "--order", "2", "--xi",
                "1");
    PBY_REFUSED(2, "--group '0': expected an integer from 1", NULL, "loss", "pure:eps=1", "--zcdp", "--group",
                "0");
    PBY_REFUSED(2, "a group of its own", NULL, "loss", "stlap:eps=1,q=9", "--order", "2", "--group", "2");
    PBY_REFUSED(2, "rdp:order '1': expected a rational above 1", NULL, "loss", "rdp:order=1,eps=1", "--delta",
                "1e-3");
    PBY_REFUSED(2, "rdp:eps '0': expected a rational above 0", NULL, "loss", "rdp:order=2,eps=0", "--delta",
                "1e-3");
    PBY_REFUSED(2, "zcdp:rho '-1': expected a rational above 0", NULL, "loss", "zcdp:rho=-1", "--zcdp");
    PBY_REFUSED(2, "zcdp:xi '-1': expected a rational from 0 on", NULL, "loss", "zcdp:rho=1,xi=-1", "--zcdp");
}

/* Deltas that no grid reaches: told, and in a column of their own, which is not there otherwise. */
Test(profile, enclosures_that_stay_wider)
{
    static const char told[] = "probity: wider: neither finer grids nor more digits bring the ends closer\n";
    static const char start[] = "epsilon,delta_lo,delta_hi,wider\n0,0.";
    const pby_run *r = PBY_RUN(NULL, "loss", "3*dgauss:sigma2=1", "--profile", "0:1000:2");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_eq(strncmp(r->out, start, sizeof start - 1), 0, "%s", r->out);
    cr_assert_not_null(strstr(r->out, "\n1000,0,"), "%s", r->out);
    cr_assert_not_null(strstr(r->out, ",no\n1000,0,"), "%s", r->out);
    cr_assert_not_null(strstr(r->out, ",yes\n"), "%s", r->out);
    cr_assert_str_eq(r->err, told);
    r = PBY_RUN(NULL, "loss", "3*dgauss:sigma2=1", "--profile", "0:1000:2", "--json");
    cr_assert_not_null(strstr(r->out, "\"wider\": \"neither finer grids"), "%s", r->out);
    cr_assert_not_null(strstr(r->out, "\"wider\": true}]"), "%s", r->out);
    cr_assert_str_empty(r->err);
    r = PBY_RUN(NULL, "loss", "3*dgauss:sigma2=1", "--profile", "0:10:2");
    cr_assert_eq(r->status, 0);
    cr_assert_eq(strncmp(r->out, "epsilon,delta_lo,delta_hi\n0,", 28), 0, "%s", r->out);
    cr_assert_str_empty(r->err);
}
