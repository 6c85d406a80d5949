/* SPDX-License-Identifier: MIT */
/* Laws on any finite metric: the flow against duality, with distances that need not be symmetric. */
#include <criterion/criterion.h>
#include <flint/ulong_extras.h>

#include "tests/accuracy/make.h"

enum { POINTS = 6 };

static void random_law(mpq_t *p, flint_rand_t state)
{
    unsigned long mass[POINTS], total = 0;
    for (int i = 0; i < POINTS; i++)
        total += mass[i] = n_randint(state, 4) + (i == 0);
    for (int i = 0; i < POINTS; i++) {
        mpq_set_ui(p[i], mass[i], total);
        mpq_canonicalize(p[i]);
    }
}

static void init_laws(mpq_t *p, mpq_t *q)
{
    for (int i = 0; i < POINTS; i++)
        mpq_inits(p[i], q[i], NULL);
}

static void clear_laws(mpq_t *p, mpq_t *q)
{
    for (int i = 0; i < POINTS; i++)
        mpq_clears(p[i], q[i], NULL);
}

Test(metric, flow_and_duality_agree)
{
    flint_rand_t state;
    mpq_t p[POINTS], q[POINTS], gamma;
    pby_distance flow, dual;
    flint_randinit(state);
    init_laws(p, q);
    mpq_init(gamma);
    pby_distance_init(&flow);
    pby_distance_init(&dual);
    int infinite = 0, finite = 0;
    for (int round = 0; round < 400; round++) {
        pby_distance *metric = random_distances(state, POINTS, 9, 7, 2);
        random_law(p, state);
        random_law(q, state);
        mpq_set_ui(gamma, n_randint(state, 8), 7);
        cr_assert_eq(pby_metric_lossy(&flow, p[0], q[0], metric, POINTS, gamma, NULL), PBY_OK);
        dual_lossy(&dual, p[0], q[0], metric, POINTS, gamma);
        cr_assert_str_eq(text_of(&flow), text_of(&dual));
        infinite += flow.infinite;
        finite += !flow.infinite;
        free_distances(metric, POINTS * POINTS);
    }
    cr_assert(infinite > 20 && finite > 20); /* both kinds were seen */
    pby_distance_clear(&dual);
    pby_distance_clear(&flow);
    mpq_clear(gamma);
    clear_laws(p, q);
    flint_randclear(state);
}

/* Five points on a line and one that nothing reaches, each with a sixth of p; q is at the first. */
Test(metric, a_point_that_cannot_be_reached_is_worth_its_mass)
{
    const unsigned long at[POINTS - 1] = {0, 1, 4, 6, 9};
    flint_rand_t state;
    mpq_t p[POINTS], q[POINTS], gamma;
    pby_distance found;
    flint_randinit(state);
    init_laws(p, q);
    mpq_init(gamma);
    pby_distance_init(&found);
    pby_distance *metric = random_distances(state, POINTS, 0, 1, 0);
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < POINTS; j++) {
            pby_distance *d = &metric[POINTS * i + j];
            d->infinite = i != j && (i == POINTS - 1 || j == POINTS - 1);
            if (!d->infinite && i != j)
                mpq_set_ui(d->value, at[i] > at[j] ? at[i] - at[j] : at[j] - at[i], 1);
        }
    for (int i = 0; i < POINTS; i++) {
        mpq_set_ui(p[i], 1, POINTS);
        mpq_set_ui(q[i], i == 0, 1);
    }
    cr_assert_eq(pby_metric_average(&found, p[0], q[0], metric, POINTS, gamma, NULL), PBY_OK);
    cr_assert_eq(found.infinite, 1);
    mpq_set_ui(gamma, 1, 6);
    cr_assert_eq(pby_metric_average(&found, p[0], q[0], metric, POINTS, gamma, NULL), PBY_OK);
    cr_assert_str_eq(text_of(&found), "10/3"); /* (0 + 1 + 4 + 6 + 9)/6 */
    mpq_set_ui(gamma, 1, 4);
    cr_assert_eq(pby_metric_average(&found, p[0], q[0], metric, POINTS, gamma, NULL), PBY_OK);
    cr_assert_str_eq(text_of(&found), "31/12"); /* a twelfth less, from 9 */
    cr_assert_eq(pby_metric_lossy(&found, p[0], q[0], metric, POINTS, gamma, NULL), PBY_OK);
    cr_assert_str_eq(text_of(&found), "9");
    mpq_set_ui(gamma, 1, 3);
    cr_assert_eq(pby_metric_lossy(&found, p[0], q[0], metric, POINTS, gamma, NULL), PBY_OK);
    cr_assert_str_eq(text_of(&found), "6");
    free_distances(metric, POINTS * POINTS);
    pby_distance_clear(&found);
    mpq_clear(gamma);
    clear_laws(p, q);
    flint_randclear(state);
}

Test(metric, refuses_what_is_no_distance)
{
    flint_rand_t state;
    mpq_t p[POINTS], q[POINTS], gamma;
    pby_distance found;
    flint_randinit(state);
    init_laws(p, q);
    mpq_init(gamma);
    pby_distance_init(&found);
    pby_distance *metric = random_distances(state, POINTS, 5, 1, 0);
    random_law(p, state);
    cr_assert_eq(pby_metric_lossy(&found, p[0], q[0], metric, POINTS, gamma, NULL),
                 PBY_BAD); /* q has no mass */
    cr_assert_eq(pby_metric_lossy(&found, p[0], p[0], metric, 0, gamma, NULL), PBY_BAD);
    cr_assert_eq(pby_metric_lossy(&found, p[0], p[0], metric, PBY_METRIC_MAX + 1, gamma, NULL), PBY_BAD);
    mpq_set_si(metric[1].value, -1, 2);
    cr_assert_eq(pby_metric_average(&found, p[0], p[0], metric, POINTS, gamma, NULL), PBY_BAD);
    mpq_set_si(metric[1].value, 1, 2);
    mpq_set_si(metric[POINTS + 1].value, 1, 2);
    cr_assert_eq(pby_metric_average(&found, p[0], p[0], metric, POINTS, gamma, NULL), PBY_BAD);
    mpq_set_si(metric[POINTS + 1].value, 0, 1);
    cr_assert_eq(pby_metric_average(&found, p[0], p[0], metric, POINTS, gamma, NULL), PBY_OK);
    cr_assert_str_eq(text_of(&found), "0");
    free_distances(metric, POINTS * POINTS);
    pby_distance_clear(&found);
    mpq_clear(gamma);
    clear_laws(p, q);
    flint_randclear(state);
}
