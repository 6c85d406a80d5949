/* SPDX-License-Identifier: MIT */
/* The mechanism that a plan of buckets comes to. */
#ifndef PBY_SELECT_SELECT_BUCKETS_H
#define PBY_SELECT_SELECT_BUCKETS_H

#include "mechanism/family.h"
#include "probity/experimental/buckets.h"
#include "probity/select.h"

/* buckethist with the buckets of the plan and with the eps and the q of a use of stlap, used as often:
 * whatever the buckets are, their noise is that of stlap (docs/theory/selection.md). */
PBY_CHECKED
pby_status pby_buckets_planned(pby_spec **out, const pby_use *use, const pby_bucketed *points,
                               const pby_plan *plan, pby_error *err);

#endif
