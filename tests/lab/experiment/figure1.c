/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "number/scoped.h"
#include "probity.h"
#include "tests/claims/decide.h"
#include "tests/cli/run.h"

/* A row of the figure; the object is for json_decref. */
static json_t *row_of(json_t *all, const char *eps, const char *delta, const char *gamma)
{
    size_t i;
    json_t *row, *found = NULL;
    json_array_foreach(json_object_get(all, "rows"), i,
                       row) if (strcmp(json_string_value(json_object_get(row, "eps")), eps) == 0 &&
                                strcmp(json_string_value(json_object_get(row, "delta")), delta) == 0 &&
                                strcmp(json_string_value(json_object_get(row, "gamma")), gamma) == 0)
        found = row;
    cr_assert_not_null(found, "%s %s %s", eps, delta, gamma);
    return found;
}

static json_t *figure(void)
{
    char *text;
    cr_assert_eq(pby_report_figure1(&text, NULL, PBY_REPORT_JSON, NULL), PBY_OK);
    json_t *all = json_loads(text, 0, NULL);
    free(text);
    cr_assert_eq(json_array_size(json_object_get(all, "rows")), 3 * 3 * 16);
    return all;
}

static double end_of(json_t *row, const char *end)
{
    return atof(json_string_value(json_object_get(json_object_get(row, "theorem"), end)));
}

/* claims: Thresh/Figure 1 */
Test(figure1, the_numbers_of_the_text)
{
    static const struct {
        const char *gamma;
        double number;
    } said[] = {{"1", 1750.965}, {"1/10", 963.481}, {"1/100", 884.732}};
    json_t *all = figure();
    for (size_t i = 0; i < 3; i++) {
        json_t *row = row_of(all, "1/20", "1e-19", said[i].gamma);
        cr_assert(claims_le_d(CLAIMS_ALL, said[i].number - .01, end_of(row, "lo")));
        cr_assert(claims_le_d(CLAIMS_ALL, end_of(row, "hi"), said[i].number + .01));
        cr_assert_leq(end_of(row, "lo"), end_of(row, "hi"));
    }
    json_decref(all);
}

/* The least T by the pairs of the mechanism, where the figure has a formula. */
static void agrees(json_t *all, const char *eps, const char *delta, const char *gamma, const char *rate)
{
    char family[64];
    pby_choice *choice;
    PBY_MPQ(epsilon, bound);
    json_t *row = row_of(all, eps, delta, gamma);
    cr_assert_eq(pby_rational_parse(epsilon, "eps", eps, NULL), PBY_OK);
    cr_assert_eq(pby_rational_parse(bound, "delta", delta, NULL), PBY_OK);
    const pby_target target = {.epsilon = epsilon, .delta = bound, .uses = 1};
    snprintf(family, sizeof family, "threshold:eps=%s", rate);
    cr_assert_eq(pby_select(&choice, family, &target, NULL), PBY_OK);
    cr_assert_eq(mpq_cmp_si(choice->chosen.value, (long)json_integer_value(json_object_get(row, "exact")), 1),
                 0, "%s %s %s", eps, delta, gamma);
    pby_choice_free(choice);
    snprintf(family, sizeof family, "threshold:eps=%s", eps);
    cr_assert_eq(pby_select(&choice, family, &target, NULL), PBY_OK);
    cr_assert_eq(mpq_cmp_si(choice->chosen.value, (long)json_integer_value(json_object_get(row, "least")), 1),
                 0, "%s %s", eps, delta);
    cr_assert_geq(mpq_get_d(choice->chosen.value), (double)json_integer_value(json_object_get(row, "any")));
    /* Theorem 5 at gamma = 0, rounded up, is the second recipe */
    cr_assert_not_null(choice->other.spec);
    cr_assert_geq(mpq_get_d(choice->other.value), mpq_get_d(choice->recipe.value));
    pby_choice_free(choice);
}

Test(figure1, exact_thresholds_are_those_of_the_pairs)
{
    json_t *all = figure();
    agrees(all, "1/5", "1e-4", "1", "1/10");
    agrees(all, "1/5", "1e-12", "1/10", "2/11");
    agrees(all, "1/10", "1e-7", "1/100", "10/101");
    agrees(all, "1/20", "1e-19", "1", "1/40");
    agrees(all, "1/20", "1e-19", "1/10", "1/22");
    agrees(all, "1/20", "1e-19", "1/100", "5/101");
    json_decref(all);
}

/* The T of both recipes by their formulas in doubles, away from integers.
 *   D (1 + ln(D uses/delta)/eps)    Theorem 5
 *   the same, less D ln(1 + exp(-eps/D))/eps    Lemma 5 */
Test(figure1, both_recipes_of_select)
{
    static const struct {
        const char *family;
        double lemma, theorem;
        unsigned long uses;
    } cases[] = {{"threshold:eps=1/20", 863, 876, 1},        /* 862.52, 876.01... at delta = 1e-19 */
                 {"threshold:eps=1,sensitivity=5", 0, 0, 1}, /* see below */
                 {"threshold:eps=1/2", 0, 0, 2}};
    PBY_MPQ(epsilon, delta);
    for (size_t i = 0; i < 3; i++) {
        pby_choice *choice;
        cr_assert_eq(pby_rational_parse(epsilon, "eps", i == 0 ? "1/20" : "1", NULL), PBY_OK);
        cr_assert_eq(pby_rational_parse(delta, "delta", i == 0 ? "1e-19" : "1e-6", NULL), PBY_OK);
        const pby_target target = {.epsilon = epsilon, .delta = delta, .uses = cases[i].uses};
        cr_assert_eq(pby_select(&choice, cases[i].family, &target, NULL), PBY_OK);
        const double d = i == 1 ? 5 : 1, eps = i == 0 ? .05 : i == 1 ? 1 : .5, want = i == 0 ? 1e-19 : 1e-6;
        const double theorem = ceil(d * (1 + log(d * (double)cases[i].uses / want) / eps));
        const double lemma =
            ceil(d * (1 + (log(d * (double)cases[i].uses / want) - log1p(exp(-eps / d))) / eps));
        cr_assert_eq(mpq_get_d(choice->other.value), theorem, "%s", cases[i].family);
        cr_assert_eq(mpq_get_d(choice->recipe.value), lemma, "%s", cases[i].family);
        cr_assert(i > 0 || (theorem == cases[i].theorem && lemma == cases[i].lemma));
        cr_assert_leq(mpq_cmp(choice->chosen.value, choice->recipe.value), 0);
        pby_choice_free(choice);
    }
}

Test(figure1, files_and_refusals)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    const pby_run *r = PBY_RUN(NULL, "experiment", "figure1", "-o", folder);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "1e-19        1750.96    963.48    884.73      1724      949      872"),
                       "%s", r->out);
    static const char *const files[] = {"figure1.csv", "figure1.svg"};
    for (int i = 0; i < 2; i++) {
        pby_folder_path(path, folder, files[i]);
        cr_assert_eq(access(path, R_OK), 0, "%s", path);
    }
    pby_folder_remove(folder);
    PBY_REFUSED(2, "--sets '3': expected none with figure1", NULL, "experiment", "figure1", "--sets", "3");
    PBY_REFUSED(2, "-o '/no/such/folder'", NULL, "experiment", "figure1", "-o", "/no/such/folder");
}
