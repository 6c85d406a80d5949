/* SPDX-License-Identifier: MIT */
/* The pair of a mechanism that is known by some points of its profile.
 *
 * Let delta(loss[i]) <= delta[i] of any two neighbours in both orders. As a function of x = exp(epsilon) a
 * profile is convex, so that between two points it lies under their chord, and it does not rise. What is made
 * here has its kinks at the points and lies above the chords: it dominates the mechanism, in both orders.
 * With one point it is the worst (epsilon, delta)-private pair (docs/theory/geometric.md), and with many it
 * is what composition needs of a mechanism whose profile is only bounded (docs/theory/sparse.md). */
#ifndef PBY_PAIR_NODES_H
#define PBY_PAIR_NODES_H

#include "pair/pair.h"

/* A rational of 64 bits from 0 to 1 that is no less than the ball: a delta for a point. */
void pby_node_round_up(fmpq_t delta, const arb_t ball);

/* On an empty pair; 0 <= loss[0] < loss[1] < ..., n >= 1, 0 <= delta[i]. Points whose loss is beyond 2^16 are
 * left out, but for the first. Refused where the last delta is 1 or more. */
PBY_CHECKED
pby_status pby_pair_of_nodes(pby_pair *pair, const fmpq *loss, const fmpq *delta, size_t n, pby_error *err);

#endif
