/* Composition: the loss of several uses, each mechanism so many times, on the same two neighbours.
 *
 * Three ways, the sharpest that applies:
 *   closed   one mechanism once; Gaussians alone, which compose to a Gaussian
 *   exact    few atoms: their product, as sums of exponentials with every digit
 *   grid     anything else: privacy-loss distributions from above and from below (loss/pld.h), whose
 *            grid is refined until the two answers are within the width asked for
 *
 * All uses see the same two inputs, so that pairs compose with those of the same direction, and the
 * worse direction counts. A mechanism with several pairs in one direction enters an upper bound by a
 * pair that dominates them all, and a lower bound by each of them in turn (docs/theory/composition.md).
 */
#ifndef PBY_LOSS_COMPOSE_H
#define PBY_LOSS_COMPOSE_H

#include "loss/parts.h"
#include "loss/profile.h"

/* The relative width, above 0, that an answer from the grid is asked to have; exceeded becomes true when one
 * had to stay wider. */
typedef struct pby_width {
    fmpq_t most;
    bool exceeded;
} pby_width;

/* The profile of a composition on a grid; the parts are moved out of `parts`, also on failure. A width that
 * is not NULL must outlive the profile. */
pby_status pby_profile_of_parts(pby_profile **out, pby_parts *parts, pby_width *width, pby_error *err);

/* The profiles of a spec of any uses, by the sharpest way; width as above. */
pby_status pby_compose(pby_profiles *out, const pby_spec *spec, pby_neighbours relation, pby_width *width,
                       pby_error *err);

#endif
