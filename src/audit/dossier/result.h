/* SPDX-License-Identifier: MIT */
/* The result of one audit of a dossier: a document with the verdict and what it was asked, in a file of its
 * own, so that a run that was killed goes on with the next audit. */
#ifndef PBY_AUDIT_DOSSIER_RESULT_H
#define PBY_AUDIT_DOSSIER_RESULT_H

#include "audit/dossier/dossier_plan.h"
#include "audit/dossier/stated.h"

/* Checks that a document is the result of that audit of the plan: PBY_NO if not. Its verdict is the one that
 * follows from its counts, at the audit's share of the error. */
PBY_CHECKED
pby_status pby_result_check(const json_t *result, const pby_audit_plan *plan, const pby_planned_audit *a,
                            pby_error *err);

/* The part of that which takes no time: its form, its digest, and that it was asked by this plan. */
PBY_CHECKED
pby_status pby_result_belongs(const json_t *result, const pby_audit_plan *plan, const pby_planned_audit *a,
                              pby_error *err);

/* The members that the result of this audit states besides those that every result does; NULL: none. */
const pby_stated *pby_result_states(const pby_planned_audit *a);

#endif
