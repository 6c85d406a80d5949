/* SPDX-License-Identifier: MIT */
/* Tails of the sum of two binomial counts, bounded from above with proof. */
#ifndef PBY_ESTIMATE_SUM_H
#define PBY_ESTIMATE_SUM_H

#include <arb.h>
#include <stdint.h>

/* Two independent counts: Bin(c, p) and Bin(d, q), 0 < p, q < 1. */
typedef struct pby_two_binomials {
    uint64_t c, d;
    arb_srcptr p, q;
} pby_two_binomials;

/* bound >= P[Bin(c, p) + Bin(d, q) >= j]. `reach` is how many standard deviations of the first are summed; it
 * decides how tight the bound is, and never whether it holds. */
void pby_sum_tail_bound(arb_t bound, const pby_two_binomials *sum, uint64_t j, double reach);

#endif
