/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <flint/flint.h>
#include <flint/ulong_extras.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probity/experimental/reports.h"
#include "probity/rational.h"
#include "probity/report.h"
#include "tests/cli/run.h"
#include "tests/exact/coupling.h"

enum { INPUTS = 4, ANSWERS = 5, WHOLE = 12 };

static char folder[PBY_PATH_SIZE], laws[PBY_PATH_SIZE], table[PBY_PATH_SIZE];

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(laws, folder, "laws.csv");
    pby_folder_path(table, folder, "neighbours.csv");
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(report_sensitivity, .init = setup, .fini = teardown);

/* Laws of twelfths at the answers 0, 1, 3, 7/2 and 9; which inputs are neighbours, by chance. */
static void random_case(exact_law *law, bool *near, flint_rand_t state)
{
    char text[1024] = ",0,1,3,7/2,9\n", pairs[256] = ",a,b,c,d\n";
    size_t size = strlen(text), length = strlen(pairs);
    for (size_t i = 0; i < INPUTS; i++) {
        ulong left = WHOLE;
        size += (size_t)snprintf(text + size, sizeof text - size, "%c", (char)('a' + i));
        length += (size_t)snprintf(pairs + length, sizeof pairs - length, "%c", (char)('a' + i));
        for (size_t j = 0; j < ANSWERS; j++) {
            const ulong mass = j + 1 < ANSWERS ? n_randint(state, left + 1) : left;
            left -= mass;
            exact_set(&law[i], j, mass, WHOLE);
            size += (size_t)snprintf(text + size, sizeof text - size, ",%lu/12", mass);
        }
        for (size_t j = 0; j < INPUTS; j++) {
            near[i * INPUTS + j] = n_randint(state, 2) == 0;
            length += (size_t)snprintf(pairs + length, sizeof pairs - length, ",%d", near[i * INPUTS + j]);
        }
        text[size++] = pairs[length++] = '\n';
        text[size] = pairs[length] = '\0';
    }
    pby_write_file(laws, text);
    pby_write_file(table, pairs);
}

/* The greatest distance over the pairs, each by linear programming from the definition. */
static void brute(mpq_t out, exact_law *law, const bool *near, const char *neighbours, mpq_t *d,
                  mpq_srcptr theta)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(out, 0, 1);
    for (size_t i = 0; i < INPUTS; i++)
        for (size_t j = i + 1; j < INPUTS; j++) {
            const bool counts = strcmp(neighbours, "all") == 0 ||
                                (strcmp(neighbours, "next") == 0 && j == i + 1) ||
                                (neighbours == table && (near[i * INPUTS + j] || near[j * INPUTS + i]));
            exact_distance(one, &law[i], &law[j], d, theta);
            if (counts && mpq_cmp(one, out) > 0)
                mpq_set(out, one);
        }
    mpq_clear(one);
}

/* Random tables of laws; every kind of neighbours; several thetas. */
Test(report_sensitivity, is_the_greatest_distance_of_neighbours)
{
    static const char *const thetas[] = {"0", "1/12", "1/5", "1/2"};
    static const unsigned at[ANSWERS] = {0, 2, 6, 7, 18}; /* in halves */
    const char *const kinds[] = {"all", "next", table};
    exact_law law[INPUTS];
    mpq_t d[ANSWERS * ANSWERS], theta, expected, found;
    bool near[INPUTS * INPUTS];
    flint_rand_t state;
    flint_randinit(state);
    mpq_inits(theta, expected, found, NULL);
    for (size_t i = 0; i < INPUTS; i++)
        exact_init(&law[i], ANSWERS);
    for (size_t i = 0; i < ANSWERS * ANSWERS; i++) {
        const unsigned x = at[i / ANSWERS], y = at[i % ANSWERS];
        mpq_init(d[i]);
        mpq_set_ui(d[i], x > y ? x - y : y - x, 2);
        mpq_canonicalize(d[i]);
    }
    for (int round = 0; round < 24; round++) {
        const pby_sensitivity_asked asked = {laws, kinds[round % 3], thetas[round % 4]};
        char *text;
        random_case(law, near, state);
        cr_assert_eq(pby_report_sensitivity(&text, &asked, PBY_REPORT_JSON, NULL), PBY_OK);
        json_t *object = json_loads(text, 0, NULL);
        cr_assert_eq(mpq_set_str(theta, asked.theta, 10), 0);
        brute(expected, law, near, asked.neighbours, d, theta);
        const char *answer = json_string_value(json_object_get(object, "sensitivity"));
        cr_assert_eq(pby_rational_parse(found, "sensitivity", answer, NULL), PBY_OK);
        cr_assert(mpq_equal(found, expected), "round %d: %s", round, answer);
        json_decref(object);
        free(text);
    }
    for (size_t i = 0; i < ANSWERS * ANSWERS; i++)
        mpq_clear(d[i]);
    for (size_t i = 0; i < INPUTS; i++)
        exact_clear(&law[i]);
    mpq_clears(theta, expected, found, NULL);
    flint_randclear(state);
}
