/* SPDX-License-Identifier: MIT */
/* P[A + B >= j] is the sum over a of P[A = a] P[B >= j - a]. It is summed over a window of a, in which both
 * factors follow from the ones before: P[A = a + 1] by its ratio to P[A = a], and P[B >= b - 1] by adding
 * P[B = b - 1]. Below the window P[B >= j - a] is at most what it is at its lower end, and above it at
 * most 1.
 */
#include "estimate/sum.h"

#include <math.h>

#include "audit/bound/bound_tail.h"
#include "number/ball.h"
#include "number/scoped.h"

enum { WORK = 96 };

struct window {
    uint64_t from, to; /* a, both included */
};

/* About where A lies. No a at which B cannot fill up to j, and none that fills up to j alone. */
static struct window window_of(const pby_two_binomials *s, uint64_t j, double reach)
{
    const double p = arf_get_d(arb_midref(s->p), ARF_RND_NEAR), mean = (double)s->c * p;
    const double far = reach * sqrt(mean * (1 - p)) + reach * reach;
    const uint64_t least = j > s->d ? j - s->d : 0, most = s->c < j ? s->c : j;
    uint64_t from = mean > far ? (uint64_t)(mean - far) : 0;
    uint64_t to = mean + far < (double)most ? (uint64_t)(mean + far) : most;
    from = from < least ? least : from > most ? most : from;
    to = to < from ? from : to;
    return (struct window){from, to};
}

/* Sets mass to P[X = x] and tail to a bound of P[X >= x], where they are not NULL. */
static void start(arb_t mass, arb_t tail, uint64_t n, arb_srcptr chance, uint64_t x)
{
    pby_binomial_tail t;
    pby_binomial_tail_init(&t, n, x);
    if (mass != NULL)
        pby_binomial_mass(mass, &t, chance);
    if (tail != NULL)
        pby_binomial_tail_bound(tail, &t, chance);
    pby_binomial_tail_clear(&t);
}

/* bound of P[X <= x] */
static void at_most(arb_t tail, uint64_t n, arb_srcptr chance, uint64_t x)
{
    pby_binomial_tail t;
    pby_binomial_tail_init(&t, n, n - x);
    pby_binomial_tail_bound_mirrored(tail, &t, chance);
    pby_binomial_tail_clear(&t);
}

static void odds_of(arb_t odds, arb_srcptr chance)
{
    arb_sub_ui(odds, chance, 1, WORK);
    arb_neg(odds, odds);
    arb_div(odds, chance, odds, WORK);
}

/* The window, from its lower end on; tail is P[B >= j - from] on entry. */
static void add_window(arb_t sum, arb_t tail, const pby_two_binomials *s, uint64_t j, struct window w)
{
    PBY_ARB(mass_a, mass_b, odds_a, odds_b);
    start(mass_a, NULL, s->c, s->p, w.from);
    start(mass_b, NULL, s->d, s->q, j - w.from);
    odds_of(odds_a, s->p);
    odds_of(odds_b, s->q);
    for (uint64_t a = w.from; a <= w.to; a++) {
        const uint64_t b = j - a;
        arb_addmul(sum, mass_a, tail, WORK);
        if (a == w.to)
            break;
        arb_mul(mass_a, mass_a, odds_a, WORK);
        arb_mul_ui(mass_a, mass_a, s->c - a, WORK);
        arb_div_ui(mass_a, mass_a, a + 1, WORK);
        arb_div(mass_b, mass_b, odds_b, WORK);
        arb_mul_ui(mass_b, mass_b, b, WORK);
        arb_div_ui(mass_b, mass_b, s->d - b + 1, WORK);
        arb_add(tail, tail, mass_b, WORK);
    }
}

static void add_all(arb_t sum, const pby_two_binomials *s, uint64_t j, double reach)
{
    const struct window w = window_of(s, j, reach);
    PBY_ARB(tail, rest);
    start(NULL, tail, s->d, s->q, j - w.from);
    if (w.from > 0 && j - w.from < s->d) {
        at_most(rest, s->c, s->p, w.from - 1);
        arb_addmul(sum, rest, tail, WORK);
    }
    add_window(sum, tail, s, j, w);
    if (w.to < s->c) {
        start(NULL, rest, s->c, s->p, w.to + 1);
        arb_add(sum, sum, rest, WORK);
    }
}

void pby_sum_tail_bound(arb_t bound, const pby_two_binomials *sum, uint64_t j, double reach)
{
    arb_zero(bound);
    if (j > sum->c + sum->d)
        return;
    if (j == 0)
        arb_one(bound);
    else if (sum->c == 0)
        start(NULL, bound, sum->d, sum->q, j);
    else if (sum->d == 0)
        start(NULL, bound, sum->c, sum->p, j);
    else
        add_all(bound, sum, j, reach);
    pby_to_upper_end(bound, WORK);
}
