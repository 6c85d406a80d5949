/* SPDX-License-Identifier: MIT */
/* A claim about two traces, and what they show of it. */
#ifndef PBY_AUDIT_TRACE_TRACE_CASE_H
#define PBY_AUDIT_TRACE_TRACE_CASE_H

#include "audit/trace/trace_align.h"
#include "audit/trace/trace_lower.h"
#include "audit/trace/trace_member.h"
#include "probity/experimental/trace.h"

/* The lower end rests on one of these. */
typedef enum pby_trace_evidence {
    PBY_EVIDENCE_NONE,
    PBY_EVIDENCE_ASSUMED,
    PBY_EVIDENCE_STATISTICAL,
    PBY_EVIDENCE_EXACT
} pby_trace_evidence;

/* Why a verdict is inconclusive. */
typedef enum pby_trace_reason {
    PBY_TRACE_NO_REASON,
    PBY_TRACE_UNRECORDED,
    PBY_TRACE_OPEN,
    PBY_TRACE_SEED,
    PBY_TRACE_UNALIGNED,
    PBY_TRACE_ASSUMED,
    PBY_TRACE_UNPUBLISHED,
    PBY_TRACE_WIDTH
} pby_trace_reason;

typedef struct pby_trace_case {
    pby_trace_side side[2];
    pby_alignment alignment;
    pby_members members;
    pby_trace_lower lower;
    pby_trace_terms upper;
    bool has_upper, probed, seeds_block;
    pby_trace_evidence evidence;
    uint64_t counted; /* runs a side behind those that are compared */
    mpq_t epsilon, delta, error, slack;
    bool assume_fixed, allow_seeds;
    unsigned long runs;
    arb_t delta_lower, delta_upper, epsilon_lower, epsilon_upper; /* at the claim */
    pby_trace_verdict verdict;
    pby_trace_reason reason;
} pby_trace_case;

/* The answer as an object, and as lines. NULL when there is no memory. */
json_t *pby_trace_case_object(const pby_trace_case *c);
PBY_CHECKED
pby_status pby_trace_object_lines(char **text, const json_t *answer, pby_error *err);

#endif
