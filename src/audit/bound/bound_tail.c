/* SPDX-License-Identifier: MIT */
#include "audit/bound/bound_tail.h"
#include "number/scoped.h"

#include <arb_hypgeom.h>
#include <math.h>
#include <stdbool.h>

enum { WORK = 96, LEFT_OUT = 16, TERMS_MOST = 1 << 15 };

/* The digits that log-gamma of n loses to cancellation, and WORK more. */
static slong first_precision(uint64_t n)
{
    return WORK + 2 * (slong)FLINT_BIT_COUNT(n) + 16;
}

static void log_factorial(arb_t out, uint64_t n, slong prec)
{
    arb_set_ui(out, n);
    arb_add_ui(out, out, 1, prec);
    arb_hypgeom_lgamma(out, out, prec);
}

void pby_binomial_tail_init(pby_binomial_tail *tail, uint64_t n, uint64_t x)
{
    const slong prec = first_precision(n);
    PBY_ARB(t);
    arb_init(tail->log_choose);
    tail->n = n;
    tail->x = x;
    log_factorial(tail->log_choose, n, prec);
    log_factorial(t, x, prec);
    arb_sub(tail->log_choose, tail->log_choose, t, prec);
    log_factorial(t, n - x, prec);
    arb_sub(tail->log_choose, tail->log_choose, t, prec);
}

void pby_binomial_tail_clear(pby_binomial_tail *tail)
{
    arb_clear(tail->log_choose);
}

void pby_binomial_mass(arb_t mass, const pby_binomial_tail *tail, const arb_t p)
{
    const slong prec = first_precision(tail->n);
    PBY_ARB(t, sum);
    arb_log(t, p, prec);
    arb_set(sum, tail->log_choose);
    arb_addmul_ui(sum, t, tail->x, prec);
    arb_sub_ui(t, p, 1, prec);
    arb_neg(t, t);
    arb_log(t, t, prec);
    arb_addmul_ui(sum, t, tail->n - tail->x, prec);
    arb_exp(mass, sum, WORK);
}

/* rest = last * r / (1 - r) where r < 1 is the ratio of the next term to the last; false while r may
 * not be below 1. */
static int remainder_after(arb_t rest, const arb_t last, const arb_t ratio)
{
    PBY_ARB(gap);
    arb_sub_ui(gap, ratio, 1, WORK);
    arb_neg(gap, gap);
    const int falls = arb_is_positive(gap);
    if (falls) {
        arb_div(rest, ratio, gap, WORK);
        arb_mul(rest, rest, last, WORK);
    }
    return falls;
}

static int negligible(const arb_t rest, const arb_t sum)
{
    PBY_ARB(scaled);
    arb_mul_2exp_si(scaled, rest, LEFT_OUT);
    return arb_lt(scaled, sum);
}

/* The series, asked for its remainder at every 16th term only. It is given up for 1 as soon as the sum
 * may reach it. Of so many terms that counts of a stranger would take minutes, from about 10^9 trials on,
 * what is left out is not negligible; but k standard deviations above the mean the remainder is at most
 * 1 + 1/k^2 times what it bounds. Where the terms still rise, the tail is taken as 1. */
static void series(arb_t sum, const pby_binomial_tail *tail, const arb_t p)
{
    const uint64_t n = tail->n, x = tail->x;
    PBY_ARB(term, odds, ratio, rest, one);
    arb_one(one);
    arb_sub(odds, one, p, WORK);
    arb_div(odds, p, odds, WORK);
    pby_binomial_mass(term, tail, p);
    arb_set(sum, term);
    for (uint64_t j = x; j < n; j++) {
        arb_mul_ui(ratio, odds, n - j, WORK);
        arb_div_ui(ratio, ratio, j + 1, WORK);
        const bool last = j - x >= TERMS_MOST;
        if (((j - x) % 16 == 15 || last) && remainder_after(rest, term, ratio) &&
            (last || negligible(rest, sum))) {
            arb_add(sum, sum, rest, WORK);
            break;
        }
        if (last) {
            arb_one(sum);
            break;
        }
        arb_mul(term, term, ratio, WORK);
        arb_add(sum, sum, term, WORK);
        if (!arb_lt(sum, one))
            break;
    }
}

/* Returns true if x lies four standard deviations or more below the mean: the tail is then so near to 1 that
 * 1 is taken at once. Doubles may decide it, as 1 is always a bound. */
static int nearly_all(const pby_binomial_tail *tail, const arb_t p)
{
    const double q = arf_get_d(arb_midref(p), ARF_RND_NEAR), mean = (double)tail->n * q;
    return (double)tail->x < mean - 4 * sqrt(mean * (1 - q));
}

/* The tail grows with p, so that the upper end of a ball stands for all of it. */
void pby_binomial_tail_bound(arb_t bound, const pby_binomial_tail *tail, const arb_t p)
{
    PBY_ARB(most, one);
    arb_one(one);
    arb_get_ubound_arf(arb_midref(most), p, WORK);
    if (tail->x == 0 || !arb_lt(most, one) || nearly_all(tail, most)) {
        arb_one(bound);
    } else if (!arb_is_positive(most)) {
        arb_zero(bound);
    } else {
        series(bound, tail, most);
        arb_get_ubound_arf(arb_midref(bound), bound, WORK);
        mag_zero(arb_radref(bound));
        arb_min(bound, bound, one, WORK);
    }
}

void pby_binomial_tail_bound_mirrored(arb_t bound, const pby_binomial_tail *tail, const arb_t p)
{
    PBY_ARB(other);
    arb_sub_ui(other, p, 1, first_precision(tail->n));
    arb_neg(other, other);
    pby_binomial_tail_bound(bound, tail, other);
}
