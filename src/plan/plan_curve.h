/* SPDX-License-Identifier: MIT */
/* The errors of a plan's statistics against its budget. */
#ifndef PBY_PLAN_PLAN_CURVE_H
#define PBY_PLAN_PLAN_CURVE_H

#include "plan/plan_choose.h"

enum { PBY_PLAN_CURVE_POINTS = 9 }; /* from a quarter to 4 times the plan's budget, which is the fifth */

typedef struct pby_plan_curve {
    mpq_t budget[PBY_PLAN_CURVE_POINTS]; /* epsilon, rho or mu */
    mpq_t *error; /* of each statistic at each budget: statistic after statistic; rounding is in it */
    bool *known;  /* false where the error is unknown, or what was asked for (within) does not fit */
    size_t statistics;
} pby_plan_curve;

/* The noise is chosen anew for each budget, but for the plan's own. The plan is changed on the way, and as
 * it was in the end. To be cleared whether this succeeds or not. */
PBY_CHECKED
pby_status pby_plan_curve_of(pby_plan_curve *out, pby_release_plan *plan, const pby_plan_choice *choice,
                             pby_error *err);
void pby_plan_curve_clear(pby_plan_curve *c);

#endif
