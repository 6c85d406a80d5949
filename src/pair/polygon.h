/* SPDX-License-Identifier: MIT */
/* The pair whose potential is the greatest convex polygon below given points.
 *
 * A potential is convex, falls, and is 1 at 0. So one that is at most the values at these points is at most
 * the polygon there, and its chords, which the polygon consists of, lie above it in between; beyond the last
 * point the polygon is level. */
#ifndef PBY_PAIR_POLYGON_H
#define PBY_PAIR_POLYGON_H

#include "pair/pair.h"

/* Gives an empty pair the curve of the points (x[i], value[i]), 0 < x[0] < x[1] < ..., with values above 0,
 * the first of them below 1. The points are changed. */
PBY_CHECKED
pby_status pby_pair_polygon(pby_pair *pair, fmpq *x, fmpq *value, size_t count, pby_error *err);

#endif
