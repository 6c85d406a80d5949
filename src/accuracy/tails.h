/* SPDX-License-Identifier: MIT */
/* How far the mean of n independent variables from 0 to 1 goes from its expectation: the tail bounds of
 * [Survey] section 2, and the exact tail of coins (docs/theory/tails.md). */
#ifndef PBY_ACCURACY_TAILS_H
#define PBY_ACCURACY_TAILS_H

#include <flint/fmpq.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "probity/enclosure.h"

enum { PBY_TAIL_MOST = 1000000000 }; /* variables; the exact tail takes some 100 sqrt(n) steps at most */

typedef enum pby_tail_side { PBY_TAIL_ABOVE, PBY_TAIL_BELOW, PBY_TAIL_EITHER, PBY_TAIL_SIDES } pby_tail_side;

/* The event that the mean is more than beta above `mean`, its expectation, below it, or either. */
typedef struct pby_tail {
    uint64_t n; /* from 1 to PBY_TAIL_MOST */
    fmpq_t mean, beta;
    pby_tail_side side;
} pby_tail;

typedef enum pby_tail_bound {
    PBY_TAIL_ENTROPY,        /* exp(-n D), D the relative entropy of the edge to the mean */
    PBY_TAIL_ADDITIVE,       /* exp(-2 n beta^2), twice that of either side */
    PBY_TAIL_MULTIPLICATIVE, /* with e = beta/mean <= 1: exp(-n mean e^2/3) above, exp(-n mean e^2/2) below */
    PBY_TAIL_PRINTED,        /* exp(-2 n e^2/3) above, exp(-2 n e^2/2) below: refuted */
    PBY_TAIL_BOUNDS
} pby_tail_bound;

/* True if the bound speaks of this side, at this beta. */
bool pby_tail_has(const pby_tail *t, pby_tail_bound bound);

/* The chance for n coins of that mean, 0 < mean < 1 and beta > 0. */
PBY_CHECKED
pby_status pby_tail_exact(pby_enclosure *chance, const pby_tail *t, unsigned digits, pby_error *err);

/* The bound, and whether the chance of the coins is at most that. */
PBY_CHECKED
pby_status pby_tail_bounded(pby_enclosure *most, bool *holds, const pby_tail *t, pby_tail_bound bound,
                            unsigned digits, pby_error *err);

#endif
