/* SPDX-License-Identifier: MIT */
/* Convex polygons of the plane with rational corners, and the depth regions of public points.
 *
 * All is exact but the Steiner point, whose angles are enclosed. Nothing here is private
 * (docs/theory/floating-bodies.md). */
#ifndef PBY_LAB_GEOMETRY_REGION_H
#define PBY_LAB_GEOMETRY_REGION_H

#include <arb.h>
#include <flint/fmpq.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Corners, counterclockwise, no three of them on a line; two of a segment, one of a point, none where it is
 * empty. Coordinates stand at 2 i and 2 i + 1. */
typedef struct pby_region {
    fmpq *corner;
    size_t count, room;
} pby_region;

void pby_region_init(pby_region *r);
void pby_region_clear(pby_region *r);

/* at = p + (q - p) share; at is neither of the two. */
void pby_point_between(fmpq *at, const fmpq *p, const fmpq *q, const fmpq_t share);

/* Integer points, up to PBY_SITE_MAX in size, with so many records at each. */
enum { PBY_SITES_MAX = 400, PBY_SITE_MAX = 1 << 20 };
typedef struct pby_site {
    int64_t x, y;
    uint64_t records; /* from 1 on */
} pby_site;

/* The points of the plane that every closed half-plane around has `level` records or more in common with,
 * level from 1 on. The sites are distinct. */
PBY_CHECKED
pby_status pby_region_depth(pby_region *out, const pby_site *site, size_t n, uint64_t level, pby_error *err);

/* The points of a region, not empty, with a x + b y <= c. */
PBY_CHECKED
pby_status pby_region_cut(pby_region *r, const fmpq_t a, const fmpq_t b, const fmpq_t c, pby_error *err);

/* ---- of regions that are not empty ---------------------------------------------------------------- */

/* The greatest a x + b y. */
void pby_region_support(fmpq_t out, const pby_region *r, const fmpq_t a, const fmpq_t b);

/* The point of the region that is nearest to (x, y), and the square of how far that is. */
void pby_region_nearest(fmpq_t x_out, fmpq_t y_out, fmpq_t square, const pby_region *r, const fmpq_t x,
                        const fmpq_t y);

/* The square of the Hausdorff distance. */
void pby_region_apart(fmpq_t square, const pby_region *a, const pby_region *b);

/* The Steiner point: the mean of the corners, weighted by their exterior angles. */
void pby_region_steiner(arb_t x, arb_t y, const pby_region *r, slong prec);

#endif
