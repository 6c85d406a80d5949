/* SPDX-License-Identifier: MIT */
/* Pairs of neighbours of which the scores of every cell are known: what a mechanism on a lattice loses at
 * least. */
#ifndef PBY_MECHANISM_SHARED_LATTICE_PAIRS_H
#define PBY_MECHANISM_SHARED_LATTICE_PAIRS_H

#include "mechanism/family.h"

/* So many cells fall by `here` units on the one input and by `there` on the other. */
typedef struct pby_cells_fall {
    uint64_t times, here, there;
} pby_cells_fall;

/* The pair of two inputs, on an empty pair; a unit is exp(-rate). */
PBY_CHECKED
pby_status pby_lattice_pair(pby_pair *pair, const pby_cells_fall *cells, size_t n, const fmpq_t rate,
                            pby_error *err);

/* chance = (N - 1) w/(1 + (N - 1) w), w = exp(-rate fall): one of N cells scores 0, and all others fall by so
 * much. */
void pby_lattice_others(arb_t chance, uint64_t cells, const fmpq_t rate, const fmpq_t fall, slong prec);

/* The claim of pure privacy at eps, parameter 0; and its facts: the losses' length, and that a single use is
 * only bounded. */
bool pby_lattice_claim(arb_t delta, const pby_mechanism *m, pby_neighbours relation, const fmpq_t epsilon,
                       slong prec);
void pby_lattice_privacy(pby_privacy *p, const pby_mechanism *m);

#endif
