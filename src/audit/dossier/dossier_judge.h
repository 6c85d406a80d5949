/* SPDX-License-Identifier: MIT */
/* Running one audit of a dossier. What only reads results needs none of this. */
#ifndef PBY_AUDIT_DOSSIER_DOSSIER_JUDGE_H
#define PBY_AUDIT_DOSSIER_DOSSIER_JUDGE_H

#include "audit/dossier/dossier_plan.h"
#include "base/observer.h"

/* Runs one audit and makes its result, for json_decref. Where the mechanism cannot be run, or prints nothing,
 * the status is PBY_BAD or PBY_INCONCLUSIVE with the reason. keep is a folder for the outputs, or NULL;
 * starts says how often the audit was begun, this time included. */
PBY_CHECKED
pby_status pby_result_make(json_t **out, const pby_audit_plan *plan, const pby_planned_audit *a,
                           const char *keep, size_t starts, const pby_observer *observer, pby_error *err);

#endif
