/* SPDX-License-Identifier: MIT */
/* A pair that reveals its input with some chance, and otherwise is another pair.
 *
 * The answers of a random query on two neighbours are coupled within the sensitivity but for a mass theta, of
 * which nothing is known: there the two outputs may have nothing in common
 * (docs/theory/random-queries.md).
 */
#ifndef PBY_PAIR_REVEALED_H
#define PBY_PAIR_REVEALED_H

#include "pair/pair.h"

/* Turns each pair (P, Q), of atoms, into (theta first + (1-theta) P, theta second + (1-theta) Q), 0 < theta
 * <= 1, where first and second are outcomes of their own. */
pby_status pby_pairs_reveal(pby_pairs *pairs, const fmpq_t theta, pby_error *err);

#endif
