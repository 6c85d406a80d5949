/* SPDX-License-Identifier: MIT */
/* The number of records by which a threshold along a direction misses the support of a depth region
 * (docs/theory/floating-bodies.md).
 *
 * The region of level k has the grid's points of depth k or more, and its support is the greatest <u, p> of
 * these: the least possible value where there are none. A threshold t misses by the least k such that it lies
 * between the supports of level + k and level - k, and by `level` at most. */
#ifndef PBY_MECHANISM_FBSUPPORT_FBSUPPORT_SCORE_H
#define PBY_MECHANISM_FBSUPPORT_FBSUPPORT_SCORE_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct pby_outer {
    unsigned dimension; /* 2 or 3 */
    int64_t side;       /* points along each axis, from 2 on */
    int64_t reach; /* the largest coordinate of a direction that depths are counted in, from 1 to side - 1 */
    int64_t level; /* from 1 to 2^30 */
    int64_t x, y, z; /* u, not all 0; z is 0 in the plane */
} pby_outer;

/* The least <u, p>, and how many integers there are from it to the greatest. */
int64_t pby_outer_least(const pby_outer *o);
int64_t pby_outer_places(const pby_outer *o);

/* fall[i] is the miss of the threshold least + i; count[p] are the records at p. */
PBY_CHECKED
pby_status pby_outer_falls(uint64_t *fall, const pby_outer *o, const int64_t *count, pby_error *err);

#endif
