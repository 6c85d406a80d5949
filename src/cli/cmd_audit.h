/* SPDX-License-Identifier: MIT */
/* The answers of `probity audit`. */
#ifndef PBY_CLI_CMD_AUDIT_H
#define PBY_CLI_CMD_AUDIT_H

#include "audit/run/audit_run.h"
#include "cli/options.h"
#include "probity/experimental/trace.h"

/* Prints a verdict, and returns PBY_NO for a violation, PBY_INCONCLUSIVE where the evidence could not show
 * one. */
PBY_CHECKED
pby_status pby_audit_answer(const pby_audit_request *r, const json_t *verdict, pby_error *err);

/* Prints the verdict on outputs that were judged by a law; returns the status of pby_audit_answer. */
PBY_CHECKED
pby_status pby_audit_answer_law(const pby_audit_request *r, bool violation, json_t *answer, pby_error *err);

/* Judges evidence of canaries (audit/run/audit_run.h) and prints the verdict. */
PBY_CHECKED
pby_status pby_audit_canaries(const pby_audit_request *r, pby_canary_source source, bool claimed,
                              pby_error *err);

/* Judges two traces; sarif, a file for the log, may be NULL. */
PBY_CHECKED
pby_status pby_audit_trace(const pby_audit_request *r, pby_trace_options *o, const char *sarif,
                           pby_error *err);

/* A claim that running times are judged by, as options give it: NULL where there is none. */
typedef struct pby_times_claim {
    const char *epsilon, *delta, *error;
} pby_times_claim;

/* Judges running times. */
PBY_CHECKED
pby_status pby_audit_timing(const pby_audit_request *r, const pby_times_claim *claim, pby_error *err);

/* Runs the plan of a dossier, and tells how its claims fared; `page` is for one that checks itself. */
PBY_CHECKED
pby_status pby_audit_dossier(const pby_option *folder, const pby_option *key, const pby_option *page,
                             const pby_option *json, pby_error *err);

#endif
