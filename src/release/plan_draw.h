/* SPDX-License-Identifier: MIT */
/* The noise and the choices of a plan's release, behind its charge. */
#ifndef PBY_RELEASE_PLAN_DRAW_H
#define PBY_RELEASE_PLAN_DRAW_H

#include "release/plan_rows.h"

/* Puts what is released in the place of the numbers that it is made of, `cells` of each quantity:
 * numbers with their noise, of a quantile the number of a point of the grid, of a top the number of a
 * group. */
PBY_CHECKED
pby_status pby_plan_draw(pby_plan_cells *cells, const pby_release_plan *plan, const pby_plan_quantities *q,
                         pby_error *err);

#endif
