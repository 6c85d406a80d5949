/* SPDX-License-Identifier: MIT */
/* Changes of a plan that would make its errors smaller, by how much. */
#ifndef PBY_PLAN_PLAN_ADVICE_H
#define PBY_PLAN_PLAN_ADVICE_H

#include "plan/plan_choose.h"

enum { PBY_PLAN_ADVICE_MAX = 5, PBY_PLAN_ADVICE_TEXT = 160 };

typedef struct pby_plan_advice {
    char change[PBY_PLAN_ADVICE_TEXT]; /* such as "horizon.times = 6" */
    double errors;                     /* what errors are multiplied by, on the weighted average: below 1 */
} pby_plan_advice;

/* Up to so many, the best first, each by an estimate of the changed plan (pby_plan_estimate). The plan is
 * changed on the way, and as it was in the end. */
PBY_CHECKED
pby_status pby_plan_advise(pby_plan_advice advice[PBY_PLAN_ADVICE_MAX], size_t *count, pby_release_plan *plan,
                           pby_error *err);

#endif
