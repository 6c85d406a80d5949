/* SPDX-License-Identifier: MIT */
/* Picks from the pairs of some neighbours the one that many uses add up to most of.
 *
 * A lower bound may take any of them. After many uses the sum of losses is near to a Gaussian, and what
 * decides is the divergence of a single use; to choose anew after every output would take far longer and gain
 * little. */
#ifndef PBY_LOSS_COMPOSE_FARTHEST_H
#define PBY_LOSS_COMPOSE_FARTHEST_H

#include "mechanism/family.h"

/* Puts the pairs that are good by their divergence in the place of those that a mechanism attains, where it
 * lists such (PBY_DIVERGING). */
PBY_CHECKED
pby_status pby_pairs_diverge(pby_pairs *attained, const pby_mechanism *m, pby_neighbours relation,
                             pby_error *err);

/* Keeps one pair of each direction, by Pearson's divergence in balls; of a list with curves the middle one.
 */
void pby_pairs_keep_farthest(pby_pairs *pairs);

#endif
