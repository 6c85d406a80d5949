/* SPDX-License-Identifier: MIT */
/* Decides if the loss of a plan's list is within its budget. */
#ifndef PBY_PLAN_PLAN_JUDGE_H
#define PBY_PLAN_PLAN_JUDGE_H

#include "plan/plan_quantity.h"
#include "probity/enclosure.h"
#include "select/select_bisect.h"

/* The spec is the list of all releases, made of the quantities. loss may be NULL; it is set to an enclosure
 * of delta at the budget's epsilon, of rho, or of mu, that shows the verdict. */
PBY_CHECKED
pby_status pby_plan_judge(pby_decision *verdict, pby_enclosure *loss, const pby_release_plan *plan,
                          const pby_plan_quantities *q, const pby_spec *spec, pby_error *err);

#endif
