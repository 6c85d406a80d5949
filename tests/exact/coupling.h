/* SPDX-License-Identifier: MIT */
/* Couplings by linear programming, from the definition: a law of pairs (i, j) whose marginals are near P and
 * Q in total variation. Neither the flows nor the sweeps of src/accuracy are used, so that these can be
 * checked against it. */
#ifndef PBY_TESTS_EXACT_COUPLING_H
#define PBY_TESTS_EXACT_COUPLING_H

#include "tests/exact/law.h"

typedef struct {
    const exact_law *p, *q;
    const bool *allowed; /* n x n: which pairs may have mass; NULL for all */
    mpq_srcptr first,
        second;  /* the most that each marginal may be off; second NULL: `first` bounds the sum of both */
    mpq_t *cost; /* n x n: what a pair costs; NULL for none */
} exact_couple;

/* True if there is such a coupling; then the least mean cost, and the coupling itself in phi (n x n) unless
 * it is NULL. */
bool exact_coupling(const exact_couple *ask, mpq_t cost, exact_law *phi);

/* The least distance, among d[i n + j], such that a coupling within it loses at most gamma: W-infinity with
 * loss. */
void exact_distance(mpq_t out, const exact_law *p, const exact_law *q, mpq_t *d, mpq_srcptr gamma);
/* The least mean distance of a coupling that loses at most gamma. */
void exact_average(mpq_t out, const exact_law *p, const exact_law *q, mpq_t *d, mpq_srcptr gamma);

#endif
