/* SPDX-License-Identifier: MIT */
/* The public groups of a grouping: a list in the plan, a file with one a line, or, in a certificate, their
 * number and digest. */
#ifndef PBY_PLAN_PLAN_GROUPS_H
#define PBY_PLAN_PLAN_GROUPS_H

#include "plan/plan.h"
#include "plan/plan_value.h"

/* The columns of the grouping have been read. */
PBY_CHECKED
pby_status pby_plan_read_groups(pby_plan_grouping *g, const pby_plan_place *place);

#endif
