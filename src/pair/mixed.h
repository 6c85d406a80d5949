/* SPDX-License-Identifier: MIT */
/* Two pairs, one of which is met by chance, and the outcome tells which.
 *
 * The potential is the mean of the two. So if a mechanism is one of two by a chance that does not depend on
 * the input, and each is dominated by its pair, the mixed pair dominates it: the potential is convex.
 */
#ifndef PBY_PAIR_MIXED_H
#define PBY_PAIR_MIXED_H

#include "pair/pair.h"

/* Turns each pair, a curve, into the mixture of it and, with the chance weight, of the pair of `other` at the
 * same place, 0 <= weight <= 1. The two lists have as many pairs, of the same directions. */
pby_status pby_pairs_mix(pby_pairs *pairs, const pby_pairs *other, const fmpq_t weight, pby_error *err);

#endif
