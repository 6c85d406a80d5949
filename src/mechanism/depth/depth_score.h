/* SPDX-License-Identifier: MIT */
/* Truncated Tukey depth on a grid, over public directions (docs/theory/floating-bodies.md). */
#ifndef PBY_MECHANISM_DEPTH_DEPTH_SCORE_H
#define PBY_MECHANISM_DEPTH_DEPTH_SCORE_H

#include <stdint.h>

#include "base/status.h"

typedef struct pby_tukey {
    unsigned dimension; /* from 1 to PBY_LATTICE_DIMENSION_MAX */
    int64_t side;       /* points along an axis, from 2 on */
    int64_t reach;      /* the largest coordinate of a direction, from 1 to side - 1 */
    int64_t level;      /* from 1 to 2^31 - 1 */
} pby_tukey;

/* side^dimension, and about how many steps the depths take: what is too large is refused before them. */
double pby_tukey_cells(const pby_tukey *t);
double pby_tukey_steps(const pby_tukey *t);

/* fall[t] = max(0, level - depth of t), the last coordinate running fastest. The depth of t is the least,
 * over all integer vectors u with coordinates up to reach in size and without a common divisor, of the
 * records x with <u, x> >= <u, t>. */
PBY_CHECKED
pby_status pby_tukey_falls(uint64_t *fall, const pby_tukey *t, const int64_t *count, pby_error *err);

#endif
