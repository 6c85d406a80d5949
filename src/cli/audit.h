/* The answers of `probity audit`. */
#ifndef PBY_CLI_AUDIT_H
#define PBY_CLI_AUDIT_H

#include "audit/run/run.h"

/* Prints a verdict, and returns PBY_NO for a violation, PBY_INCONCLUSIVE where the evidence could not show
 * one. */
PBY_CHECKED
pby_status pby_audit_answer(const pby_audit_request *r, const json_t *verdict, pby_error *err);

/* The same for outputs against a law. */
PBY_CHECKED
pby_status pby_audit_answer_law(const pby_audit_request *r, bool violation, json_t *answer, pby_error *err);

#endif
