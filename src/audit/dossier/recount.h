/* SPDX-License-Identifier: MIT */
/* A verdict that was written down, held against the counts beside it. */
#ifndef PBY_AUDIT_DOSSIER_RECOUNT_H
#define PBY_AUDIT_DOSSIER_RECOUNT_H

#include <gmp.h>
#include <jansson.h>

#include "audit/dossier/dossier_plan.h"
#include "base/status.h"

/* PBY_NO, naming a member, unless the object is the verdict on the claim of this audit, at this error, that
 * follows from its counts. The counts are read; the verdict, its bounds and its reason, the witness, what
 * could have been seen, the shares of the error, the numbers of outputs and judges and the profile are
 * computed again from them and from the audit that was planned, and the object must say exactly that. A lower
 * bound may be one unit of its last digit less: the C libraries of two machines differ by that. Members that
 * are stated (audit/dossier/stated.h) are held to their form alone. `version` is that of the result. */
PBY_CHECKED
pby_status pby_recount(const json_t *verdict, int version, const pby_planned_audit *audit, mpq_srcptr error,
                       pby_error *err);

#endif
