/* SPDX-License-Identifier: MIT */
/* Composition: the loss of several uses, each mechanism so many times, on the same two neighbours.
 *
 * Four ways, the sharpest that applies:
 *   closed   one mechanism once; Gaussians alone, which compose to a Gaussian
 *   exact    few atoms: their product, as sums of exponentials with every digit
 *   few      more of them, or a choice of pairs: outcome by outcome, in balls (loss/compose/few.h)
 *   grid     anything else: privacy-loss distributions from above and from below (loss/pld/pld.h), whose
 *            grid is refined until the two answers are within the width asked for
 *
 * All uses see the same two inputs, so that pairs compose with those of the same direction, and the
 * worse direction counts. A mechanism with several pairs in one direction enters an upper bound by a
 * pair that dominates them all, and a lower bound by each of them in turn (docs/theory/composition.md).
 */
#ifndef PBY_LOSS_COMPOSE_COMPOSE_H
#define PBY_LOSS_COMPOSE_COMPOSE_H

#include "loss/compose/parts.h"
#include "loss/profile/profile.h"

/* The profile of a composition on a grid; the parts are moved out of `parts`, also on failure. The width is
 * what an answer is asked to have, relative and above 0, NULL for the usual one (loss/compose/grid.h); it
 * must outlive the profile. An answer that finer grids bring no closer stays wider. */
pby_status pby_profile_of_parts(pby_profile **out, pby_parts *parts, const fmpq *width, pby_error *err);

/* Makes a ball around an epsilon at which delta is not yet its limit reach to where it is: to the largest
 * loss, or to where every use has reached its own limit if that is less. */
pby_status pby_raise_to_end(arb_t ball, const pby_parts *parts, unsigned digits, pby_error *err);

/* The profile of one whose outcomes are few, the parts moved out of `parts`; NULL, with PBY_OK and nothing
 * moved, where they are not. The width is for a grid in its place where balls leave something open. */
pby_status pby_profile_of_few(pby_profile **out, pby_parts *parts, const fmpq *width, pby_error *err);

/* The profiles of parts, by the sharpest way; what they hold may be moved out of them. width as above. */
pby_status pby_compose_parts(pby_profiles *out, pby_parts *parts, const fmpq *width, pby_error *err);

/* The profiles of a spec of any uses, by the sharpest way; width as above. */
pby_status pby_compose(pby_profiles *out, const pby_spec *spec, pby_neighbours relation, const fmpq *width,
                       pby_error *err);

/* Puts what some neighbours reach of a spec, as pby_parts_below knows it, below profiles that are only a
 * bound. */
pby_status pby_compose_below(pby_profiles *list, const pby_spec *spec, pby_neighbours relation,
                             const fmpq *width, pby_error *err);

#endif
