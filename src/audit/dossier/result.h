/* The result of one audit of a dossier: a document with the verdict and what it was asked, in a file of its
 * own, so that a run that was killed goes on with the next audit. */
#ifndef PBY_AUDIT_DOSSIER_RESULT_H
#define PBY_AUDIT_DOSSIER_RESULT_H

#include "audit/dossier/plan.h"

/* Whether a document is the result of that audit of the plan: PBY_NO if not. Its verdict is held against its
 * counts: what is shown follows from them, with an error within the audit's share. */
PBY_CHECKED
pby_status pby_result_check(const json_t *result, const pby_audit_plan *plan, const pby_planned_audit *a,
                            pby_error *err);

#endif
