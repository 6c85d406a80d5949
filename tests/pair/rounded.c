/* SPDX-License-Identifier: MIT */
#include "pair/rounded.h"

#include <criterion/criterion.h>
#include <math.h>

/* A small generator with a fixed seed. */
static unsigned long next(unsigned long *state)
{
    *state = *state * 6364136223846793005UL + 1442695040888963407UL;
    return *state >> 33;
}

enum { MOST = 7, PREC = 256 };

/* The masses of an atom in doubles. */
static void masses(double *p, double *q, const pby_pair *pair, size_t i)
{
    arb_t x, norm;
    arb_init(x);
    arb_init(norm);
    pby_expsum_get_arb(x, pair->atoms[i].p, PREC);
    pby_expsum_get_arb(norm, pair->norm_p, PREC);
    arb_div(x, x, norm, PREC);
    *p = arf_get_d(arb_midref(x), ARF_RND_NEAR);
    pby_expsum_get_arb(x, pair->atoms[i].q, PREC);
    pby_expsum_get_arb(norm, pair->norm_q, PREC);
    arb_div(x, x, norm, PREC);
    *q = arf_get_d(arb_midref(x), ARF_RND_NEAR);
    arb_clear(norm);
    arb_clear(x);
}

static double hockey(const double *p, const double *q, size_t n, double factor)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += fmax(0, p[i] - factor * q[i]);
    return sum;
}

static double renyi(const double *p, const double *q, size_t n, double a)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += pow(p[i], a) * pow(q[i], 1 - a);
    return log(sum) / (a - 1);
}

/* The laws as balls of a radius around random masses that add up to 1. */
static void draw(arb_ptr ball, double *law, size_t n, double radius, unsigned long *state)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += law[i] = 1 + (double)(next(state) % 1000);
    for (size_t i = 0; i < n; i++) {
        law[i] /= sum;
        arb_set_d(ball + i, law[i] + ((double)(next(state) % 3) - 1) * radius / 2);
        mag_set_d(arb_radref(ball + i), radius);
    }
}

static void check(const pby_pair *pair, const double *p, const double *q, size_t n, double radius)
{
    double one[MOST], other[MOST], sum_p = 0, sum_q = 0;
    cr_assert(pair->count >= 1 && pair->count <= n);
    for (size_t i = 0; i < pair->count; i++) {
        masses(&one[i], &other[i], pair, i);
        sum_p += one[i];
        sum_q += other[i];
        cr_assert(one[i] >= 0 && other[i] >= 0);
        cr_assert(i == 0 || one[i] * other[i - 1] < one[i - 1] * other[i], "ratios fall");
    }
    cr_assert_float_eq(sum_p, 1, 1e-12);
    cr_assert_float_eq(sum_q, 1, 1e-12);
    for (double factor = 0.125; factor < 100; factor *= 1.5) {
        const double truth = hockey(p, q, n, factor), told = hockey(one, other, pair->count, factor);
        cr_assert(told <= truth + 1e-12, "%g above %g", told, truth);
        cr_assert(told >= truth - 8 * (double)n * radius * (1 + factor) - 1e-12, "%g below %g", told, truth);
    }
    for (double a = 1.25; a < 20; a *= 2)
        cr_assert(renyi(one, other, pair->count, a) <= renyi(p, q, n, a) + 1e-11);
}

/* Whatever the balls are, no divergence is above that of laws within them, and narrow ones lose nothing. */
Test(rounded, no_divergence_grows)
{
    unsigned long state = 7;
    arb_ptr p = _arb_vec_init(MOST), q = _arb_vec_init(MOST);
    for (int round = 0; round < 300; round++) {
        const size_t n = 1 + next(&state) % MOST;
        const double radius = round % 3 == 0 ? 0 : round % 3 == 1 ? 1e-9 : 0.01;
        double one[MOST], other[MOST];
        pby_pair pair;
        pby_pair_init(&pair);
        draw(p, one, n, radius, &state);
        draw(q, other, n, radius, &state);
        cr_assert_eq(pby_pair_of_balls(&pair, p, q, n, NULL), PBY_OK);
        check(&pair, one, other, n, radius);
        pby_pair_clear(&pair);
    }
    _arb_vec_clear(q, MOST);
    _arb_vec_clear(p, MOST);
}

/* Outcomes of one ratio become one, and laws that balls cannot tell apart lose nothing. */
Test(rounded, what_cannot_be_told_apart)
{
    arb_ptr p = _arb_vec_init(3), q = _arb_vec_init(3);
    pby_pair pair;
    for (int i = 0; i < 3; i++) {
        arb_set_d(p + i, i == 2 ? 0.5 : 0.25);
        arb_set_d(q + i, i == 2 ? 0.25 : 0.375);
    }
    pby_pair_init(&pair);
    cr_assert_eq(pby_pair_of_balls(&pair, p, q, 3, NULL), PBY_OK);
    cr_assert_eq(pair.count, 2);
    pby_pair_clear(&pair);
    for (int i = 0; i < 3; i++)
        mag_set_d(arb_radref(p + i), 0.3);
    pby_pair_init(&pair);
    cr_assert_eq(pby_pair_of_balls(&pair, p, q, 3, NULL), PBY_OK);
    cr_assert_eq(pair.count, 1);
    pby_pair_clear(&pair);
    _arb_vec_clear(q, 3);
    _arb_vec_clear(p, 3);
}
