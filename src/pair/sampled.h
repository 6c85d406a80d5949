/* SPDX-License-Identifier: MIT */
/* Poisson sampling: a mechanism that sees each record with chance q, drawn anew for every use.
 *
 * Let A be the outputs with a record and B those without it, the other records being what they are. Sampled,
 * they are (1-q) B + q A and B. If (P, Q) dominates (A, B) and (R, S) dominates (B, A), then
 *
 *     removal   ((1-q) Q + q P, Q)        addition   (R, (1-q) R + q S)
 *
 * dominate the sampled ones (docs/theory/sampling.md). That is for neighbours of which one has a record more;
 * for a record that is changed it is wrong.
 *
 * A sample of fixed size, of the share q of all records, is about a record that is changed. One use loses as
 * much as the worse of these two pairs at each epsilon, and the pair with that loss dominates it.
 */
#ifndef PBY_PAIR_SAMPLED_H
#define PBY_PAIR_SAMPLED_H

#include "pair/pair.h"

/* Turns the pairs of a mechanism under add-remove neighbours into those of the sampled one, 0 < rate <= 1:
 * forward ones, whose P lacks the record, as additions, backward ones as removals, and those that are their
 * own reverse as one of each. Sampled curves have Renyi divergences of integer orders, and an addition has
 * that of the removal, which bounds it. */
pby_status pby_pairs_sample(pby_pairs *pairs, const fmpq_t rate, pby_error *err);

/* Turns the one pair of a mechanism under substitute neighbours, its own reverse, into the pair that
 * dominates a sample of fixed size without replacement, 0 < rate <= 1; some neighbours attain each of the two
 * that pby_pairs_sample makes. */
pby_status pby_pairs_fix(pby_pairs *pairs, const fmpq_t rate, pby_error *err);

#endif
