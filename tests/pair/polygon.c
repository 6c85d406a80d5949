/* SPDX-License-Identifier: MIT */
/* Pairs of convex polygons: the potential is the greatest convex polygon below the points, points above it do
 * not count, and the sum over outcomes agrees with the tails. */
#include <criterion/criterion.h>
#include <flint/fmpq_vec.h>
#include <math.h>

#include "number/scoped.h"
#include "pair/polygon.h"

enum { POINTS = 6, PREC = 128 };

/* The fourth point is above the chord of its neighbours, and the last above the one before. */
static const struct {
    int x, of_x, value, of_value;
} points[POINTS] = {{1, 4, 4, 5}, {1, 2, 2, 3}, {1, 1, 1, 2}, {2, 1, 9, 20}, {3, 1, 1, 4}, {5, 1, 1, 3}};

static void make(pby_pair *pair)
{
    pby_error err;
    fmpq *x = _fmpq_vec_init(POINTS), *value = _fmpq_vec_init(POINTS);
    for (int i = 0; i < POINTS; i++) {
        fmpq_set_si(x + i, points[i].x, (ulong)points[i].of_x);
        fmpq_set_si(value + i, points[i].value, (ulong)points[i].of_value);
    }
    pby_pair_init(pair);
    cr_assert_eq(pby_pair_polygon(pair, x, value, POINTS, &err), PBY_OK);
    _fmpq_vec_clear(value, POINTS);
    _fmpq_vec_clear(x, POINTS);
}

static double potential(const pby_pair *pair, const fmpq_t t)
{
    pby_error err;
    PBY_ARB(p, q);
    cr_assert_eq(pair->curve->class->tails(p, q, pair->curve, t, PREC, &err), PBY_OK);
    return arf_get_d(arb_midref(p), ARF_RND_NEAR) -
           exp(fmpq_get_d(t)) * arf_get_d(arb_midref(q), ARF_RND_NEAR);
}

/* The greatest convex polygon below the points, on which (1/4, 4/5) and (1/2, 2/3) are corners too. */
static double truth(double x)
{
    static const double corner[] = {0, 0.25, 0.5, 1, 3}, value[] = {1, 0.8, 2.0 / 3, 0.5, 0.25};
    for (int i = 0; i < 4; i++)
        if (x <= corner[i + 1])
            return value[i] + (value[i + 1] - value[i]) * (x - corner[i]) / (corner[i + 1] - corner[i]);
    return 0.25;
}

Test(polygon, the_potential_is_the_greatest_convex_one_below)
{
    pby_pair pair;
    make(&pair);
    for (int i = -60; i <= 60; i++) {
        pby_error err;
        PBY_FMPQ(t);
        PBY_ARB(direct);
        fmpq_set_si(t, i, 20);
        const double expected = truth(exp(i / 20.0));
        cr_assert_float_eq(potential(&pair, t), expected, 1e-12, "at %d/20", i);
        cr_assert_eq(pair.curve->class->direct(direct, pair.curve, t, PREC, &err), PBY_OK);
        cr_assert_float_eq(arf_get_d(arb_midref(direct), ARF_RND_NEAR), expected, 1e-12, "directly at %d/20",
                           i);
    }
    pby_pair_clear(&pair);
}

/* A loss of exactly 0 is not above 0: the tail there is that of the line behind the corner. */
Test(polygon, cells_are_differences_of_tails)
{
    enum { CELLS = 40 };
    pby_pair pair;
    pby_error err;
    make(&pair);
    PBY_FMPQ(from, step, t);
    PBY_ARB(low_p, low_q, high_p, high_q);
    arb_ptr p = _arb_vec_init(CELLS), q = _arb_vec_init(CELLS);
    fmpq_set_si(from, -2, 1);
    fmpq_set_si(step, 1, 10);
    cr_assert_eq(pair.curve->class->cells(p, q, pair.curve, from, step, CELLS, PREC, &err), PBY_OK);
    for (int i = 0; i < CELLS; i++) {
        fmpq_mul_si(t, step, i);
        fmpq_add(t, t, from);
        cr_assert_eq(pair.curve->class->tails(low_p, low_q, pair.curve, t, PREC, &err), PBY_OK);
        fmpq_add(t, t, step);
        cr_assert_eq(pair.curve->class->tails(high_p, high_q, pair.curve, t, PREC, &err), PBY_OK);
        arb_sub(low_p, low_p, high_p, PREC);
        arb_sub(low_q, low_q, high_q, PREC);
        cr_assert(arb_overlaps(low_p, p + i) && arb_overlaps(low_q, q + i), "cell %d", i);
    }
    _arb_vec_clear(q, CELLS);
    _arb_vec_clear(p, CELLS);
    pby_pair_clear(&pair);
}
