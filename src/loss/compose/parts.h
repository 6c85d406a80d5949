/* SPDX-License-Identifier: MIT */
/* The parts of a composition: mechanisms, each used so many times on the same two neighbours. */
#ifndef PBY_LOSS_COMPOSE_PARTS_H
#define PBY_LOSS_COMPOSE_PARTS_H

#include "mechanism/family.h"

/* A mechanism's pairs, and how often it is used: at most so many times, and on some neighbours as often as
 * `reached`. Where the pairs only dominate, some neighbours have those of `attained`, which is empty
 * elsewhere. */
typedef struct pby_part {
    pby_pairs pairs, attained;
    uint64_t times, reached;
} pby_part;

typedef struct pby_parts {
    pby_part *part;
    size_t count;
} pby_parts;

/* The parts of a spec, equal mechanisms counted together and Gaussians made one. Refused where a
 * mechanism has no dominating pairs. */
pby_status pby_parts_of_spec(pby_parts *out, const pby_spec *spec, pby_neighbours relation, pby_error *err);
void pby_parts_clear(pby_parts *parts);

/* The parts of a spec with one pair, which dominates all, in the place of every continuum of pairs: an
 * upper bound that takes little time. */
pby_status pby_parts_dominating(pby_parts *out, const pby_spec *spec, pby_neighbours relation,
                                pby_error *err);

/* The factors of a mechanism that is a product, as parts: they dominate all inputs, also where the worst of
 * them is listed. */
pby_status pby_parts_of_factors(pby_parts *out, const pby_mechanism *m, pby_neighbours relation,
                                pby_error *err);

/* Parts that some neighbours have of a spec with mechanisms whose pairs are not listed (family.h): what is
 * known from below. A mechanism that is known by a promise alone has the c-th coins that keep it
 * (loss/profile/promised.h). */
pby_status pby_parts_below(pby_parts *out, const pby_spec *spec, pby_neighbours relation, size_t c,
                           pby_error *err);

/* True if some neighbours have all the parts, so that these are no mere bound; and a copy of those that some
 * have. */
bool pby_parts_are_reached(const pby_parts *parts);
pby_status pby_parts_reached(pby_parts *out, const pby_parts *parts, pby_error *err);

/* The parts of the c-th other neighbours of a spec of one mechanism (family.h), where there are such; else
 * none.
 */
pby_status pby_parts_witness(pby_parts *out, const pby_spec *spec, pby_neighbours relation, size_t c,
                             pby_error *err);

/* The number of uses in all. */
uint64_t pby_parts_times(const pby_parts *parts);

/* The directions to compose in: PBY_BOTH alone when every pair is its own reverse. */
size_t pby_parts_directions(pby_direction directions[2], const pby_parts *parts);

/* The i-th pair of a part that counts in a direction, NULL beyond the last. A part without a pair of
 * that direction counts with all it has. */
const pby_pair *pby_part_pair(const pby_part *part, pby_direction direction, size_t i);

/* True if a part has several pairs in a direction. Then the one with the largest loss need not be the one
 * with the greatest chance of an infinite loss, and delta may reach a limit above zero before the largest
 * loss. */
bool pby_parts_choose(const pby_parts *parts);

/* The product of all parts as exact atoms, one pair for each direction. *done is false, and out empty,
 * when it has a curve, several pairs in a direction or too many atoms. */
pby_status pby_parts_product(pby_pairs *out, bool *done, const pby_parts *parts, pby_error *err);

/* True if all finite losses of a pair are rational, and their largest then. In any case unit becomes the
 * greatest common divisor of itself and of those that are. False for a curve, or when there is none. */
bool pby_pair_rational(fmpq_t unit, fmpq_t largest, const pby_pair *pair);

#endif
