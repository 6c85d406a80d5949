/* SPDX-License-Identifier: MIT */
/* A release plan with its noise, behind the opaque type of probity/experimental/plan.h. */
#ifndef PBY_REPORT_PLAN_PLANNED_H
#define PBY_REPORT_PLAN_PLANNED_H

#include "plan/plan_choose.h"
#include "probity/experimental/plan.h"

struct pby_planned {
    pby_release_plan *plan;
    pby_plan_choice choice;
};

#endif
