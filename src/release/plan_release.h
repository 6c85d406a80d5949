/* SPDX-License-Identifier: MIT */
/* One release of a plan: rows are bounded and added up, one charge is made, noise is drawn, and a folder
 * appears whole or not at all. */
#ifndef PBY_RELEASE_PLAN_RELEASE_H
#define PBY_RELEASE_PLAN_RELEASE_H

#include "plan/plan_choose.h"
#include "probity/experimental/plan.h"

/* The names that a refusal uses for the members of a pby_plan_release. */
typedef struct pby_plan_arguments {
    const char *folder, *ledger, *certificate;
} pby_plan_arguments;

/* As pby_planned_release. The stream is taken over whether this succeeds or not. */
PBY_CHECKED
pby_status pby_plan_run(const pby_release_plan *plan, const pby_plan_choice *choice,
                        const pby_plan_release *release, const pby_plan_arguments *names, pby_error *err);

#endif
