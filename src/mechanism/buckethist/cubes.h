/* SPDX-License-Identifier: MIT */
/* Which of very many cubes hold points. The place of each point's cube is noted; then the cubes that occur
 * are numbered in the order of their places, so that the points can be counted into an array of those cubes
 * alone. */
#ifndef PBY_MECHANISM_BUCKETHIST_CUBES_H
#define PBY_MECHANISM_BUCKETHIST_CUBES_H

#include <stddef.h>

#include "base/status.h"

/* All zero before the first point. */
typedef struct pby_cubes {
    size_t *point; /* the place of each point's cube; once they are numbered, its number */
    size_t points, room;
    size_t *place; /* of each cube, in increasing order, once they are numbered */
    size_t count;
} pby_cubes;

PBY_CHECKED
pby_status pby_cubes_note(pby_cubes *cubes, size_t place, pby_error *err);

/* To be called once, when all points are noted. */
PBY_CHECKED
pby_status pby_cubes_number(pby_cubes *cubes, pby_error *err);

/* Wipes and frees. */
void pby_cubes_clear(pby_cubes *cubes);

#endif
