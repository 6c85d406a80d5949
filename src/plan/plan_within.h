/* SPDX-License-Identifier: MIT */
/* The most noise whose error is within a bound that was asked for. */
#ifndef PBY_PLAN_PLAN_WITHIN_H
#define PBY_PLAN_PLAN_WITHIN_H

#include "plan/plan_quantity.h"

/* Sets the noise, of 4 digits, of a quantity of which a family and an error are given. The error is that of
 * all cells at once in 95 of 100 releases. PBY_NO where no noise that is tried is as small. */
PBY_CHECKED
pby_status pby_plan_set_within(pby_plan_quantity *q, pby_error *err);

#endif
