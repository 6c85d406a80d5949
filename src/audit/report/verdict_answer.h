/* SPDX-License-Identifier: MIT */
/* A verdict as a JSON object. */
#ifndef PBY_AUDIT_REPORT_VERDICT_ANSWER_H
#define PBY_AUDIT_REPORT_VERDICT_ANSWER_H

#include <jansson.h>

#include "probity/audit.h"

/* For json_decref; NULL when there is no memory. */
json_t *pby_verdict_object(const pby_verdict *verdict);

/* Adds the counts that a verdict does not show and that recomputing it needs: missing, and profile_counts. */
PBY_CHECKED
pby_status pby_verdict_add_counts(json_t *object, const pby_verdict *verdict, pby_error *err);

#endif
