/* SPDX-License-Identifier: MIT */
/* Adds one row to the numbers that a quantity of a plan is made of. */
#ifndef PBY_RELEASE_PLAN_TALLY_H
#define PBY_RELEASE_PLAN_TALLY_H

#include "plan/plan_quantity.h"

__extension__ typedef __int128 pby_plan_wide;

/* j[] has the row's value of each column, in steps; first, that no earlier row of the user is of this
 * group. */
void pby_plan_add(pby_plan_wide *sum, const pby_plan_quantity *q, const pby_release_plan *plan, size_t group,
                  const int64_t *j, bool first);

/* Holds a sum within 2^61 in size: no two sums are further apart behind this than before. */
int64_t pby_plan_hold(pby_plan_wide x);

#endif
