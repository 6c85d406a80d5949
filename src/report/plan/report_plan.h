/* SPDX-License-Identifier: MIT */
/* A release plan in a person's words: what each statistic is worth, and what all of them cost. */
#ifndef PBY_REPORT_PLAN_REPORT_PLAN_H
#define PBY_REPORT_PLAN_REPORT_PLAN_H

#include "plan/plan_choose.h"
#include "plan/plan_error.h"
#include "probity/report.h"

enum { PBY_PLAN_WORDS = 120 };

/* A statistic in words: a row of the table. */
typedef struct pby_plan_told {
    char what[PBY_PLAN_WORDS]; /* such as "mean of amount by shops" */
    char groups[PBY_PLAN_WORDS];
    char error[PBY_PLAN_WORDS];
    char relative[PBY_PLAN_WORDS]; /* the error over the expected rows; empty where these do not scale it */
    char budget[PBY_PLAN_WORDS];
} pby_plan_told;

/* Tells of statistic i, whose promise p is. */
void pby_plan_tell(pby_plan_told *out, const pby_release_plan *plan, const pby_plan_choice *c, size_t i,
                   const pby_plan_promise *p);

/* A rational to 3 digits, rounded up; whole numbers below a million in full. */
void pby_plan_tell_error(char text[PBY_PLAN_WORDS], mpq_srcptr x);

/* The plan is changed for its advice, and as it was in the end. For free(3). */
PBY_CHECKED
pby_status pby_report_plan(char **text, pby_release_plan *plan, const pby_plan_choice *choice,
                           pby_report_form form, pby_error *err);

#endif
