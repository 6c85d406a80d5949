/* SPDX-License-Identifier: MIT */
/* The loss of a number with noise of its smooth sensitivity, bounded from above in closed form and from below
 * by inputs (docs/theory/smooth.md).
 *
 * Let S be the smooth sensitivity of one neighbour and S' that of the other: r <= S'/S <= 1/r, and the
 * answers are s <= min(S, S') apart. The noise is two-sided geometric of rate eps/(2S). */
#ifndef PBY_MECHANISM_SMOOTH_SMOOTH_PROFILE_H
#define PBY_MECHANISM_SMOOTH_SMOOTH_PROFILE_H

#include "pair/pair.h"

typedef struct pby_smooth {
    const fmpq *eps, *decay; /* decay = r */
    int64_t range;           /* the most that two answers differ by */
} pby_smooth;

/* first = eps/2 + 1/r - 1: from there on the bound holds. */
void pby_smooth_first(fmpq_t first, const pby_smooth *s);

/* At least delta at e >= first, of any two neighbours. */
void pby_smooth_bound(arb_t delta, const pby_smooth *s, const fmpq_t e, slong prec);

/* Appends to an empty pair one that some neighbours have after a post-processing: whether the noisy answer is
 * so low that its loss is beyond e, about the best for that. */
PBY_CHECKED
pby_status pby_smooth_low(pby_pair *pair, const pby_smooth *s, const fmpq_t e, pby_error *err);

/* Appends the pair of neighbours of smooth sensitivity 1 and a difference of 1: the losses are eps/2 and
 * -eps/2. */
PBY_CHECKED
pby_status pby_smooth_shift(pby_pair *pair, const pby_smooth *s, pby_error *err);

/* Appends the pair of pby_smooth_low's inputs in the other order, where the narrower noise is near its answer
 * and its loss beyond e. */
PBY_CHECKED
pby_status pby_smooth_near(pby_pair *pair, const pby_smooth *s, const fmpq_t e, pby_error *err);

#endif
