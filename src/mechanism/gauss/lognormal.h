/* SPDX-License-Identifier: MIT */
/* The law of a sum of independent lognormal variables of mean 1, from both sides.
 *
 * A measure from above has E max(0, S - x) <= sum of mass max(0, high - x) + beyond_mean and
 * E max(0, x - S) <= sum of mass max(0, x - low) for every x; one from below has
 * E max(0, S - x) >= sum of mass max(0, low - x) and E max(0, x - S) >= sum of mass max(0, x - high)
 * (docs/theory/allocation.md). */
#ifndef PBY_MECHANISM_GAUSS_LOGNORMAL_H
#define PBY_MECHANISM_GAUSS_LOGNORMAL_H

#include <flint/fmpq.h>
#include <stddef.h>

#include "number/directed.h"

typedef struct pby_sum {
    pby_directed *mass, *low, *high; /* by rising places, low <= high; equal from above */
    size_t count;
    pby_directed beyond, beyond_mean; /* mass and mean of what lies above all places, from above */
} pby_sum;

/* out = the sum of `steps` variables whose logarithms have variance `ratio`, at most 100; false without
 * memory. pby_sum_clear is to be called either way. */
bool pby_sum_make(pby_sum *out, const fmpq_t ratio, int64_t steps, bool upper);
void pby_sum_clear(pby_sum *m);

#endif
