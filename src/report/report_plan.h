/* SPDX-License-Identifier: MIT */
/* A release plan in a person's words: what each statistic is worth, and what all of them cost. */
#ifndef PBY_REPORT_REPORT_PLAN_H
#define PBY_REPORT_REPORT_PLAN_H

#include "plan/plan_choose.h"
#include "probity/report.h"

/* The plan is changed for its advice, and as it was in the end. For free(3). */
PBY_CHECKED
pby_status pby_report_plan(char **text, pby_release_plan *plan, const pby_plan_choice *choice,
                           pby_report_form form, pby_error *err);

#endif
