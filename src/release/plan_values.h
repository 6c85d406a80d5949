/* SPDX-License-Identifier: MIT */
/* The value of a statistic in a group, out of noisy quantities, and an interval around what it estimates. */
#ifndef PBY_RELEASE_PLAN_VALUES_H
#define PBY_RELEASE_PLAN_VALUES_H

#include "plan/plan_quantity.h"

/* In the statistic's unit. */
typedef struct pby_plan_value {
    bool some;    /* false where the noisy rows are too few to divide by: then there is no value */
    bool bounded; /* false where the interval is all that the bounds of the column allow */
    mpq_t value, low, high;
} pby_plan_value;

void pby_plan_value_init(pby_plan_value *v);
void pby_plan_value_clear(pby_plan_value *v);

/* noisy has the statistic's quantities, and error how far each is off at most: in all groups at once, in 95
 * of 100 releases, all of them together. All numbers are in steps. */
void pby_plan_value_of(pby_plan_value *out, const pby_release_plan *plan, const pby_plan_statistic *s,
                       const int64_t *noisy, const mpq_t *error);

#endif
