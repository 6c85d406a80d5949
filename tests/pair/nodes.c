/* SPDX-License-Identifier: MIT */
#include "pair/nodes.h"

#include <criterion/criterion.h>
#include <flint/fmpq_vec.h>
#include <math.h>

#include "law/laws.h"

/* delta of a pair at epsilon, in doubles, straight from the masses; the sums of both sides on the way. */
static double delta_of(const pby_pair *pair, double epsilon, double *sum_p, double *sum_q)
{
    enum { PREC = 256 };
    arb_t p, q, norm, odds, sum, all_p, all_q;
    arb_init(p), arb_init(q), arb_init(norm), arb_init(odds), arb_init(sum), arb_init(all_p), arb_init(all_q);
    arb_set_d(odds, epsilon);
    arb_exp(odds, odds, PREC);
    pby_expsum_get_arb(norm, pair->norm_p, PREC);
    for (size_t i = 0; i < pair->count; i++) {
        pby_expsum_get_arb(p, pair->atoms[i].p, PREC);
        pby_expsum_get_arb(q, pair->atoms[i].q, PREC);
        arb_div(p, p, norm, PREC);
        arb_div(q, q, norm, PREC);
        arb_add(all_p, all_p, p, PREC);
        arb_add(all_q, all_q, q, PREC);
        arb_submul(p, q, odds, PREC);
        if (arb_is_positive(p))
            arb_add(sum, sum, p, PREC);
    }
    const double delta = arf_get_d(arb_midref(sum), ARF_RND_NEAR);
    *sum_p = arf_get_d(arb_midref(all_p), ARF_RND_NEAR);
    *sum_q = arf_get_d(arb_midref(all_q), ARF_RND_NEAR);
    arb_clear(p), arb_clear(q), arb_clear(norm), arb_clear(odds), arb_clear(sum), arb_clear(all_p),
        arb_clear(all_q);
    return delta;
}

/* One point is (epsilon, delta)-privacy: at 0 it has delta 1 - 2 (1 - d)/(1 + exp(e)). */
Test(nodes, one_point_is_the_worst_private_pair)
{
    pby_pair pair;
    fmpq *loss = _fmpq_vec_init(1), *delta = _fmpq_vec_init(1);
    double p, q;
    fmpq_set_si(loss, 3, 2);
    fmpq_set_si(delta, 1, 10);
    pby_pair_init(&pair);
    cr_assert_eq(pby_pair_of_nodes(&pair, loss, delta, 1, NULL), PBY_OK);
    cr_assert_float_eq(delta_of(&pair, 0, &p, &q), 1 - 2 * 0.9 / (1 + exp(1.5)), 1e-12);
    cr_assert_float_eq(delta_of(&pair, 1.5, &p, &q), 0.1, 1e-12);
    cr_assert_float_eq(delta_of(&pair, 9, &p, &q), 0.1, 1e-12);
    cr_assert_float_eq(p, 1, 1e-12);
    cr_assert_float_eq(q, 1, 1e-12);
    pby_pair_clear(&pair);
    _fmpq_vec_clear(loss, 1);
    _fmpq_vec_clear(delta, 1);
}

/* The profile of a Gaussian with mu = 1, and points of it: the pair lies above it everywhere, on it at the
 * points, and is its own reverse. */
static double gaussian(double e)
{
    return 0.5 * (erfc((e - 0.5) / sqrt(2)) - exp(e) * erfc((e + 0.5) / sqrt(2)));
}

Test(nodes, a_profile_lies_under_the_pair_of_its_points)
{
    enum { POINTS = 40 };
    for (size_t from = 0; from < 2; from++) {
        pby_pair pair;
        fmpq *loss = _fmpq_vec_init(POINTS), *delta = _fmpq_vec_init(POINTS);
        for (size_t i = 0; i < POINTS; i++) {
            mpq_t x;
            mpq_init(x);
            fmpq_set_si(&loss[i], (slong)(i + from), 8);
            mpq_set_d(x, gaussian((double)(i + from) / 8));
            fmpq_set_mpq(&delta[i], x);
            mpq_clear(x);
        }
        pby_pair_init(&pair);
        cr_assert_eq(pby_pair_of_nodes(&pair, loss, delta, POINTS, NULL), PBY_OK);
        for (double e = -6; e < 6; e += 0.0625) {
            double p, q;
            const double found = delta_of(&pair, e, &p, &q);
            const double mirror = 1 - exp(e) + exp(e) * delta_of(&pair, -e, &p, &q);
            cr_assert(found >= gaussian(e) - 1e-12, "%g: %g and %g", e, found, gaussian(e));
            cr_assert_float_eq(found, mirror, 1e-9 * exp(fabs(e)));
            if (fmod(e, 0.125) == 0 && e >= (double)from / 8 && e < (POINTS - 1) / 8.0)
                cr_assert_float_eq(found, gaussian(e), 1e-9);
            cr_assert_float_eq(p, 1, 1e-12);
            cr_assert_float_eq(q, 1, 1e-12);
        }
        pby_pair_clear(&pair);
        _fmpq_vec_clear(loss, POINTS);
        _fmpq_vec_clear(delta, POINTS);
    }
}

/* Points that no convex function goes through are only passed from above. */
Test(nodes, points_that_are_not_convex_are_passed)
{
    enum { POINTS = 4 };
    static const slong tenths[POINTS] = {10, 9, 8, 1};
    pby_pair pair;
    fmpq *loss = _fmpq_vec_init(POINTS), *delta = _fmpq_vec_init(POINTS);
    for (slong i = 0; i < POINTS; i++) {
        fmpq_set_si(&loss[i], i + 1, 1);
        fmpq_set_si(&delta[i], tenths[i], 10);
    }
    pby_pair_init(&pair);
    cr_assert_eq(pby_pair_of_nodes(&pair, loss, delta, POINTS, NULL), PBY_OK);
    double p, q;
    for (int i = 1; i < POINTS; i++)
        cr_assert_leq(delta_of(&pair, i, &p, &q), 1);
    cr_assert_float_eq(delta_of(&pair, POINTS, &p, &q), 0.1, 1e-12);
    cr_assert_geq(delta_of(&pair, 1, &p, &q), 1 - 2 * 0.9 / (1 + exp(4)) - 0.2);
    cr_assert_float_eq(p, 1, 1e-12);
    fmpq_one(&delta[POINTS - 1]);
    pby_pair empty;
    pby_pair_init(&empty);
    cr_assert_eq(pby_pair_of_nodes(&empty, loss, delta, POINTS, NULL), PBY_FAILED);
    pby_pair_clear(&empty);
    pby_pair_clear(&pair);
    _fmpq_vec_clear(loss, POINTS);
    _fmpq_vec_clear(delta, POINTS);
}

/* A mass is about exp(-loss): points at losses of 10^9 were once rationals of gigabytes. Those behind the
 * last that is used have its delta, and without one that tells something the inputs are told apart. */
Test(nodes, far_points_are_left_out)
{
    enum { POINTS = 4 };
    static const slong far[POINTS] = {1, 2, 1000000000, 2000000000};
    fmpq *loss = _fmpq_vec_init(POINTS), *delta = _fmpq_vec_init(POINTS);
    double p, q;
    for (size_t i = 0; i < POINTS; i++) {
        fmpq_set_si(&loss[i], far[i], 1);
        fmpq_set_si(&delta[i], 1, (ulong)(2 << i));
    }
    pby_pair pair;
    pby_pair_init(&pair);
    cr_assert_eq(pby_pair_of_nodes(&pair, loss, delta, POINTS, NULL), PBY_OK);
    cr_assert_geq(delta_of(&pair, 1, &p, &q), 1.0 / 2 - 1e-12);
    cr_assert_float_eq(delta_of(&pair, 2, &p, &q), 1.0 / 4, 1e-12);
    cr_assert_float_eq(delta_of(&pair, 100, &p, &q), 1.0 / 4, 1e-12);
    cr_assert_float_eq(p, 1, 1e-12);
    cr_assert_float_eq(q, 1, 1e-12);
    pby_pair_clear(&pair);
    pby_pair_init(&pair);
    cr_assert_eq(pby_pair_of_nodes(&pair, loss + 2, delta + 2, 2, NULL), PBY_OK, "the first alone");
    cr_assert_float_eq(delta_of(&pair, 100, &p, &q), 1, 1e-12);
    pby_pair_clear(&pair);
    fmpq_one(&delta[2]);
    pby_pair_init(&pair);
    cr_assert_eq(pby_pair_of_nodes(&pair, loss + 2, delta + 2, 2, NULL), PBY_OK, "nothing is told");
    cr_assert_float_eq(delta_of(&pair, 100, &p, &q), 1, 1e-12);
    cr_assert_float_eq(p, 1, 1e-12);
    pby_pair_clear(&pair);
    _fmpq_vec_clear(loss, POINTS);
    _fmpq_vec_clear(delta, POINTS);
}
