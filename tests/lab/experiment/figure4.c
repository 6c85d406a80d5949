/* SPDX-License-Identifier: MIT */
/* Data that a seed decides, and the whole experiment in small. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/experiment/panel.h"
#include "lab/experiment/setting.h"
#include "probity.h"
#include "tests/claims/decide.h"

static const uint8_t seed[PBY_SEED_SIZE] = {7};

static void draw(int64_t *counts, unsigned panel, unsigned set)
{
    pby_panel_cuts cuts;
    pby_entropy *source;
    pby_panel_cuts_init(&cuts);
    cr_assert_eq(pby_panel_stream(&source, seed, panel, set, 0, NULL), PBY_OK);
    cr_assert_eq(pby_panel_draw(counts, panel, &cuts, source, NULL), PBY_OK);
    pby_entropy_free(source);
}

/* The cuts against the laws in doubles. */
Test(panel, cuts_are_those_of_the_laws)
{
    pby_panel_cuts cuts;
    pby_panel_cuts_init(&cuts);
    for (int i = 0; i <= 100; i++)
        cr_assert_float_eq((double)cuts.cauchy[i] / 0x1p64, .5 + atan((i - 45) / 4.0) / M_PI, 1e-14);
    double sum = 0;
    for (int k = 0; k < 512; k++) {
        sum += exp(k * log(250) - 250 - lgamma(k + 1));
        cr_assert_float_eq((double)cuts.poisson[k] / 0x1p64, sum, 1e-11, "%d", k);
    }
}

/* Six standard deviations, for a seed that stays: the chance that a right sampler fails is below 1e-8. */
Test(panel, data_are_as_described)
{
    int64_t x[PBY_PANEL_BARS], total = 0;
    draw(x, 1, 0);
    for (int i = 0; i < 100; i++) {
        const double chance = (atan((i - 44) / 4.0) - atan((i - 45) / 4.0)) / M_PI;
        total += x[i];
        if (i < 90)
            cr_assert_float_eq((double)x[i], 1e4 * chance, 6 * sqrt(1e4 * chance) + 1, "bar %d", i + 1);
        else
            cr_assert_eq(x[i], 0);
    }
    cr_assert(total > 9300 && total < 9800);
    draw(x, 2, 0);
    cr_assert(x[0] == 1000 && x[49] == 1000 && x[50] == 1 && x[99] == 1);
    draw(x, 4, 0);
    cr_assert(x[0] == 540 && x[49] == 540 && x[50] == 490 && x[99] == 490);
    draw(x, 5, 0);
    for (int i = 0; i < 30; i++)
        cr_assert_float_eq((double)x[i], 250, 6 * sqrt(250));
    draw(x, 6, 0);
    for (int i = 0; i < 300; i++) {
        const int64_t height = i < 120 ? 130 : i < 125 ? 200 : i < 210 ? 185 : i < 220 ? 190 : 130;
        cr_assert(x[i] >= height - 5 && x[i] <= height + 5, "bar %d", i + 1);
    }
}

Test(panel, sets_differ_and_seeds_repeat)
{
    int64_t x[PBY_PANEL_BARS], y[PBY_PANEL_BARS], z[PBY_PANEL_BARS];
    draw(x, 5, 0);
    draw(y, 5, 1);
    draw(z, 5, 0);
    cr_assert(memcmp(x, y, 30 * sizeof *x) != 0);
    cr_assert_arr_eq(x, z, 30 * sizeof *x);
}

Test(figure4, the_same_seed_gives_the_same_bytes)
{
    const pby_figure4_asked asked = {.panel = 5, .sets = 1};
    char *one, *two;
    cr_assert_eq(pby_report_figure4(&one, &asked, PBY_REPORT_JSON, NULL), PBY_OK);
    cr_assert_eq(pby_report_figure4(&two, &asked, PBY_REPORT_JSON, NULL), PBY_OK);
    cr_assert_str_eq(one, two);
    cr_assert_not_null(strstr(one, "\"setting\": \"stlap:eps=1,q=28\""));
    free(two);
    free(one);
}

Test(figure4, bad_arguments_are_refused_before_the_work)
{
    pby_figure4_asked asked = {.panel = 7};
    pby_error err;
    char *text;
    cr_assert_eq(pby_report_figure4(&text, &asked, PBY_REPORT_LINES, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "panel '7': expected an integer from 1 to 6");
    asked = (pby_figure4_asked){.sets = 10001};
    cr_assert_eq(pby_report_figure4(&text, &asked, PBY_REPORT_LINES, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "sets '10001': expected an integer from 1 to 10000");
    asked = (pby_figure4_asked){.seed = "12"};
    cr_assert_eq(pby_report_figure4(&text, &asked, PBY_REPORT_LINES, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "seed '12': expected 64 hexadecimal digits");
    asked = (pby_figure4_asked){.folder = "/no/such/folder"};
    cr_assert_eq(pby_report_figure4(&text, &asked, PBY_REPORT_LINES, &err), PBY_BAD);
    cr_assert_str_eq(err.text,
                     "folder '/no/such/folder': expected a folder that exists, or a new name in one");
}

/* The end of an error in the rows of a report. */
static double error_of(const char *text, const char *mechanism, const char *eps, const char *end)
{
    json_t *all = json_loads(text, 0, NULL), *row;
    size_t i;
    double found = NAN;
    json_array_foreach(json_object_get(all, "rows"), i, row)
    {
        if (strcmp(json_string_value(json_object_get(row, "mechanism")), mechanism) == 0 &&
            strcmp(json_string_value(json_object_get(row, "eps")), eps) == 0)
            found = json_number_value(json_object_get(json_object_get(row, "error"), end));
    }
    json_decref(all);
    return found;
}

/* Panels 2 and 4 have one data set each. The second is said to be hard for all, and in the fourth stlap to
 * dominate. claims: Flex/Figure 4 */
Test(figure4, the_caption_fails_in_two_panels)
{
    pby_figure4_asked asked = {.panel = 2, .sets = 1};
    char *text;
    cr_assert_eq(pby_report_figure4(&text, &asked, PBY_REPORT_JSON, NULL), PBY_OK);
    cr_assert_lt(error_of(text, "smooth", "1", "hi"), 7.4);
    cr_assert(claims_le_d(CLAIMS_ALL, 49.9, error_of(text, "stlap", "1", "lo")));
    free(text);
    asked.panel = 4;
    cr_assert_eq(pby_report_figure4(&text, &asked, PBY_REPORT_JSON, NULL), PBY_OK);
    cr_assert_gt(error_of(text, "stlap", "1/5", "lo"), 61);
    cr_assert_lt(error_of(text, "exponential", "1/5", "hi"), 25.6);
    static const char *const others[] = {"bns", "esa", "exponential", "exponential2", "ptr", "smooth"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        cr_assert_gt(error_of(text, others[i], "3/10", "lo"), error_of(text, "stlap", "3/10", "hi"));
        cr_assert_gt(error_of(text, others[i], "2/5", "lo"), error_of(text, "stlap", "2/5", "hi"));
    }
    free(text);
}

/* With the constants of its own paper BNS is behind everywhere in panel 5. With the least noise that its
 * exact loss allows it leads by a little. claims: Flex/Figure 4 */
Test(figure4, cited_constants_change_the_order)
{
    static const char *const eps[] = {"1/20", "1/10", "1/5", "3/10", "2/5", "1/2", "3/4", "1"};
    pby_figure4_asked asked = {.panel = 5, .sets = 3, .cited = true};
    char *cited, *best;
    cr_assert_eq(pby_report_figure4(&cited, &asked, PBY_REPORT_JSON, NULL), PBY_OK);
    asked.cited = false;
    cr_assert_eq(pby_report_figure4(&best, &asked, PBY_REPORT_JSON, NULL), PBY_OK);
    for (size_t i = 0; i < sizeof eps / sizeof *eps; i++) {
        const double bns = error_of(cited, "bns", eps[i], "lo"),
                     ours = error_of(cited, "stlap", eps[i], "hi");
        cr_assert(claims_le_d(CLAIMS_ALL, ours, bns), "%s: %g, %g", eps[i], ours, bns);
        cr_assert_gt(bns, error_of(best, "bns", eps[i], "hi"));
        cr_assert_gt(error_of(cited, "choosing", eps[i], "lo"), 99.999);
    }
    cr_assert_lt(error_of(best, "bns", "1", "hi"), error_of(best, "stlap", "1", "lo"));
    free(best);
    free(cited);
}

/* The constants, by their formulas. */
Test(figure4, constants_as_cited)
{
    pby_setting s;
    cr_assert_eq(pby_setting_init(&s, "1/2", 30, PBY_TUNING_CITED, NULL), PBY_OK);
    const double delta = 0x1p-20, eps = .5, round = eps / 30;
    cr_assert_eq(s.bars[PBY_CONTESTANT_BNS].threshold, (int64_t)ceil(1 + 2 * log(2 / delta) / eps));
    cr_assert_eq(s.threshold, (int64_t)floor(log(1 / delta) / eps));
    cr_assert_float_eq(fmpq_get_d(s.decay), exp(-eps / (2 * log(2 / delta))), 1e-11);
    cr_assert_eq(s.tested, (int64_t)floor(8 / round * log(4 / (round * delta / 15))));
    pby_setting_clear(&s);
}
