/* SPDX-License-Identifier: MIT */
/* The harness of exact enumeration, against what is known otherwise. */
#include <criterion/criterion.h>

#include "tests/accuracy/make.h"
#include "tests/exact/coupling.h"
#include "tests/exact/lp.h"

/* Maximise x + y where x + 2y <= 4, 3x + y <= 6: at (8/5, 6/5). */
Test(exact, a_linear_programme_with_a_known_corner)
{
    static const long a[2][4] = {{1, 2, 1, 0}, {3, 1, 0, 1}};
    exact_lp lp;
    exact_law x;
    mpq_t best;
    mpq_init(best);
    exact_lp_init(&lp, 2, 4);
    exact_init(&x, 4);
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < 4; j++)
            mpq_set_si(exact_lp_at(&lp, i, j), a[i][j], 1);
    mpq_set_ui(lp.b[0], 4, 1);
    mpq_set_ui(lp.b[1], 6, 1);
    mpq_set_ui(lp.c[0], 1, 1);
    mpq_set_ui(lp.c[1], 1, 1);
    cr_assert_eq(exact_lp_solve(&lp, best, x.p), EXACT_OPTIMAL);
    cr_assert_eq(mpq_cmp_ui(best, 14, 5), 0);
    cr_assert_eq(mpq_cmp_ui(x.p[0], 8, 5), 0);
    cr_assert_eq(mpq_cmp_ui(x.p[1], 6, 5), 0);
    mpq_set_si(lp.b[0], -1, 1); /* x + 2y + s = -1 */
    cr_assert_eq(exact_lp_solve(&lp, best, NULL), EXACT_INFEASIBLE);
    exact_clear(&x);
    exact_lp_clear(&lp);
    mpq_clear(best);
}

/* Maximise x where x = y. */
Test(exact, a_linear_programme_without_an_end)
{
    exact_lp lp;
    mpq_t best;
    mpq_init(best);
    exact_lp_init(&lp, 1, 2);
    mpq_set_si(exact_lp_at(&lp, 0, 0), 1, 1);
    mpq_set_si(exact_lp_at(&lp, 0, 1), -1, 1);
    mpq_set_ui(lp.c[0], 1, 1);
    cr_assert_eq(exact_lp_solve(&lp, best, NULL), EXACT_UNBOUNDED);
    exact_lp_clear(&lp);
    mpq_clear(best);
}

/* Ratio 1/2 around 0 on -2..2: 1/3 in the middle, 1/6 beside, 1/6 in each tail from 2 on. */
Test(exact, geometric_noise_with_heaped_tails)
{
    static const unsigned long sixths[] = {1, 1, 2, 1, 1};
    exact_law g;
    mpq_t a;
    mpq_init(a);
    mpq_set_ui(a, 1, 2);
    exact_init(&g, 5);
    exact_geometric(&g, a, 0, -2);
    cr_assert(exact_is_law(&g));
    for (size_t i = 0; i < 5; i++)
        cr_assert_eq(mpq_cmp_ui(g.p[i], sixths[i], 6), 0);
    exact_clear(&g);
    mpq_clear(a);
}

Test(exact, every_composition_once)
{
    unsigned long parts[3];
    int count = 0;
    exact_first(parts, 3, 4);
    do {
        cr_assert_eq(parts[0] + parts[1] + parts[2], 4u);
        count++;
    } while (exact_next(parts, 3));
    cr_assert_eq(count, 15);
}

enum { POINTS = 3, TOTAL = 3 };

/* Points 0, 1, 3 of the line. */
static void line(mpq_t *d, pby_distance *metric)
{
    static const long at[POINTS] = {0, 1, 3};
    for (size_t k = 0; k < POINTS * POINTS; k++) {
        mpq_init(d[k]);
        mpq_init(metric[k].value);
        metric[k].infinite = false;
        mpq_set_si(d[k], labs(at[k / POINTS] - at[k % POINTS]), 1);
        mpq_set(metric[k].value, d[k]);
    }
}

/* Two programs that have nothing in common, a simplex method here and flows there. */
Test(exact, couplings_agree_with_the_library)
{
    mpq_t d[POINTS * POINTS], gamma, here;
    pby_distance metric[POINTS * POINTS], there;
    exact_law p, q;
    unsigned long a[POINTS], b[POINTS];
    mpq_inits(gamma, here, there.value, NULL);
    exact_init(&p, POINTS);
    exact_init(&q, POINTS);
    line(d, metric);
    for (unsigned long g = 0; g <= 2; g++) {
        mpq_set_ui(gamma, g, 6);
        mpq_canonicalize(gamma);
        exact_first(a, POINTS, TOTAL);
        do {
            exact_parts(&p, a, TOTAL);
            exact_first(b, POINTS, TOTAL);
            do {
                exact_parts(&q, b, TOTAL);
                exact_distance(here, &p, &q, d, gamma);
                cr_assert_eq(pby_metric_lossy(&there, p.p[0], q.p[0], metric, POINTS, gamma, NULL), PBY_OK);
                cr_assert(!there.infinite && mpq_equal(here, there.value));
                exact_average(here, &p, &q, d, gamma);
                cr_assert_eq(pby_metric_average(&there, p.p[0], q.p[0], metric, POINTS, gamma, NULL), PBY_OK);
                cr_assert(!there.infinite && mpq_equal(here, there.value));
            } while (exact_next(b, POINTS));
        } while (exact_next(a, POINTS));
    }
    for (size_t k = 0; k < POINTS * POINTS; k++)
        mpq_clears(d[k], metric[k].value, NULL);
    exact_clear(&p);
    exact_clear(&q);
    mpq_clears(gamma, here, there.value, NULL);
}
