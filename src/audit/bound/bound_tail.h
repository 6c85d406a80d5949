/* SPDX-License-Identifier: MIT */
/* Tails of the binomial law, bounded from above with proof.
 *
 * P[Bin(n, p) >= x] is the regularised incomplete beta function I_p(x, n - x + 1). It is summed here by
 * its own series, the terms of the tail: the first is enclosed by log-gamma, each next one is the last
 * times (n - j)/(j + 1) * p/(1 - p), and as that ratio falls with j, all that is left out after a
 * ratio r < 1 is at most the last term times r/(1 - r). What comes out is never below the truth, for
 * any n up to PBY_TRIALS_MAX, and at most one part in 2^16 above it, or 1; of more than 10^9 trials it may
 * be farther above it, by a part in k^2 where x is k standard deviations above the mean.
 */
#ifndef PBY_AUDIT_BOUND_BOUND_TAIL_H
#define PBY_AUDIT_BOUND_BOUND_TAIL_H

#include <arb.h>
#include <stdint.h>

#define PBY_TRIALS_MAX (UINT64_C(1) << 40)

/* The event of x or more in n trials, x <= n, with what does not depend on p computed once. */
typedef struct pby_binomial_tail {
    uint64_t n, x;
    arb_t log_choose; /* log of the binomial coefficient */
} pby_binomial_tail;

void pby_binomial_tail_init(pby_binomial_tail *tail, uint64_t n, uint64_t x);
void pby_binomial_tail_clear(pby_binomial_tail *tail);

/* mass = P[Bin(n, p) = x], 0 < p < 1. */
void pby_binomial_mass(arb_t mass, const pby_binomial_tail *tail, const arb_t p);

/* bound >= P[Bin(n, p) >= x] for every p in the ball. */
void pby_binomial_tail_bound(arb_t bound, const pby_binomial_tail *tail, const arb_t p);

/* bound >= P[Bin(n, p) <= n - x] for every p in the ball: the same tail, of the failures. */
void pby_binomial_tail_bound_mirrored(arb_t bound, const pby_binomial_tail *tail, const arb_t p);

#endif
