/* SPDX-License-Identifier: MIT */
/* Findings: the differences that the comparison of runs has noticed. */
#ifndef PBY_AUDIT_TRACE_TRACE_FINDING_H
#define PBY_AUDIT_TRACE_TRACE_FINDING_H

#include <jansson.h>
#include <stdbool.h>

#include "base/status.h"

typedef enum pby_finding_kind {
    PBY_FOUND_UNRECORDED,
    PBY_FOUND_OPEN,
    PBY_FOUND_CALLS,
    PBY_FOUND_SHAPE,
    PBY_FOUND_LAW,
    PBY_FOUND_BRANCH,
    PBY_FOUND_OUTPUT,
    PBY_FOUND_VALUE,
    PBY_FOUND_REUSE,
    PBY_FOUND_SEED,
    PBY_FOUND_SENSITIVITY,
    PBY_FOUND_LOSS,
    PBY_FOUND_ROUNDING,
    PBY_FINDINGS
} pby_finding_kind;

typedef struct pby_finding {
    pby_finding_kind kind;
    char *site;        /* "" where there is none */
    const char *level; /* error, warning or note */
    const char *message;
} pby_finding;

typedef struct pby_findings {
    pby_finding *item;
    size_t count, room;
    bool found[PBY_FINDINGS];
} pby_findings;

void pby_findings_clear(pby_findings *list);

/* Adds a finding unless that kind was found at that site; the first 1000 sites are kept. */
PBY_CHECKED
pby_status pby_findings_add(pby_findings *list, pby_finding_kind kind, const char *site, const char *message,
                            pby_error *err);

/* Raises the level of all findings of a kind to error: they refute. */
void pby_findings_refute(pby_findings *list, pby_finding_kind kind);

const char *pby_finding_name(pby_finding_kind kind);

/* A list of objects; NULL when there is no memory. */
json_t *pby_findings_object(const pby_findings *list);

#endif
