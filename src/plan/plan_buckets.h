/* SPDX-License-Identifier: MIT */
/* Buckets of a column of numbers that a grouping is by: NAME:LO:HI:WIDTH, three rationals. Each is called by
 * its left end, and a number outside is taken for one of the nearest bucket. */
#ifndef PBY_PLAN_PLAN_BUCKETS_H
#define PBY_PLAN_PLAN_BUCKETS_H

#include "plan/plan.h"
#include "plan/plan_value.h"

/* Takes one text of `by` for the next column of the grouping, in buckets where it ends in three rationals. */
PBY_CHECKED
pby_status pby_plan_read_column(pby_plan_grouping *g, const pby_plan_place *place, const pby_toml *text);

/* True if all columns are in buckets: the groups need not be listed then. */
bool pby_plan_all_buckets(const pby_plan_grouping *g);

/* Lists all buckets as the groups, those of the last column first. */
PBY_CHECKED
pby_status pby_plan_list_buckets(pby_plan_grouping *g, const pby_plan_place *place);

/* Returns the first field of a listed group that is no left end of a bucket of its column; NULL: none. */
const char *pby_plan_no_bucket(const pby_plan_grouping *g);

void pby_plan_buckets_free(pby_plan_buckets *b);

#endif
