/* SPDX-License-Identifier: MIT */
/* The number of records by which a point misses the Steiner point of a depth region, the mean over public
 * directions (docs/theory/floating-bodies.md).
 *
 * With h(u) the support of a region, s = (d/|A|) * the sum over u in A of u h(u)/|u|^2, where A are the
 * integer vectors of length up to `radius` without a common divisor. A point misses by the least k such that
 * in every coordinate it lies between the least and the greatest s that supports between those of the regions
 * of level + k and level - k give, rounded outward to the grid and cut to it; and by `level` at most. */
#ifndef PBY_MECHANISM_FBSTEINER_FBSTEINER_SCORE_H
#define PBY_MECHANISM_FBSTEINER_FBSTEINER_SCORE_H

#include <stdint.h>

#include "mechanism/depth/depth_score.h"

typedef struct pby_centre {
    pby_tukey depth; /* in 2 or 3 dimensions; its level is that of the region */
    int64_t radius;  /* of A, from 1 to pby_centre_radius_most */
} pby_centre;

/* Sums of A with greater radii do not fit. */
int64_t pby_centre_radius_most(unsigned dimension);

/* About how many steps the falls take. */
double pby_centre_steps(const pby_centre *c);

/* Where all records are at the corner where every coordinate is least, level or one fewer of them: how many
 * values of each coordinate miss by 1 at most, if the level is above 1. */
int64_t pby_centre_near(const pby_centre *c);

/* fall[t] is the miss of the point t, the last coordinate running fastest; count[p] are the records at p. */
PBY_CHECKED
pby_status pby_centre_falls(uint64_t *fall, const pby_centre *c, const int64_t *count, pby_error *err);

#endif
