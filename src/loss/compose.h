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

#include "loss/profile.h"
#include "mechanism/family.h"

/* A mechanism's pairs, and how often it is used. */
typedef struct pby_part {
    pby_pairs pairs;
    uint64_t times;
} pby_part;

typedef struct pby_parts {
    pby_part *part;
    size_t count;
} pby_parts;

/* The parts of a spec, equal mechanisms counted together and Gaussians made one. Refused where a
 * mechanism has no dominating pairs. */
pby_status pby_parts_of_spec(pby_parts *out, const pby_spec *spec, pby_neighbours relation, pby_error *err);
void pby_parts_clear(pby_parts *parts);

/* How many uses there are in all. */
uint64_t pby_parts_times(const pby_parts *parts);

/* The directions to compose in: PBY_BOTH alone when every pair is its own reverse. */
size_t pby_parts_directions(pby_direction directions[2], const pby_parts *parts);

/* The i-th pair of a part that counts in a direction, NULL beyond the last. A part without a pair of
 * that direction counts with all it has. */
const pby_pair *pby_part_pair(const pby_part *part, pby_direction direction, size_t i);

/* The product of all parts as exact atoms, one pair for each direction. *done is false, and out empty,
 * when it has a curve, several pairs in a direction or too many atoms. */
pby_status pby_parts_product(pby_pairs *out, bool *done, const pby_parts *parts, pby_error *err);

/* Whether all finite losses of a pair are rational, and their largest then. In any case unit becomes the
 * greatest common divisor of itself and of those that are. False for a curve, or when there is none. */
bool pby_pair_rational(fmpq_t unit, fmpq_t largest, const pby_pair *pair);

/* The relative width of an answer from the grid when none is asked for, as the reciprocal of a whole number. */
enum { PBY_WIDTH = 100 };

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
