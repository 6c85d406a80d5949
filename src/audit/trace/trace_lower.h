/* SPDX-License-Identifier: MIT */
/* The lower end of the loss: what the members of S lose (docs/greybox.md, *What is certain*). */
#ifndef PBY_AUDIT_TRACE_TRACE_LOWER_H
#define PBY_AUDIT_TRACE_TRACE_LOWER_H

#include "audit/trace/trace_align.h"
#include "audit/trace/trace_atom.h"
#include "audit/trace/trace_member.h"
#include "audit/trace/two_laws.h"

typedef struct pby_trace_lower {
    pby_trace_terms terms; /* members of equal scales, composed */
    pby_two_laws *laws;    /* members of other scales, each for itself */
    size_t laws_count, laws_room;
    pby_trace_atoms atoms; /* values without noise that some choices lead to */
    bool certain;          /* the sides never give the same output: delta is 1 */
    arb_t missed;          /* each side does otherwise with at most this probability */
} pby_trace_lower;

void pby_trace_lower_init(pby_trace_lower *x);
void pby_trace_lower_clear(pby_trace_lower *x);

/* Adds what the members lose. Findings that make delta 1 are marked as errors. Seeds count unless allowed. */
PBY_CHECKED
pby_status pby_trace_lower_add(pby_trace_lower *x, const pby_members *members, const pby_trace_side side[2],
                               pby_findings *findings, bool allow_seeds, pby_error *err);

/* Marks seeded generators that give the same noise in every run on a side; *blocked is set if there is one,
 * since then nothing bounds the loss from above. *shared is set if two generators of a run have one seed:
 * then noise is not independent, and does not compose. */
PBY_CHECKED
pby_status pby_trace_seeds(bool *blocked, bool *shared, const pby_trace_side side[2], pby_findings *findings,
                           bool allowed, pby_error *err);

/* A ball around a lower bound on delta(epsilon), which may be below 0, and one on the least epsilon at a
 * delta. */
PBY_CHECKED
pby_status pby_trace_lower_delta(arb_t ball, const pby_trace_lower *x, const fmpq_t epsilon,
                                 const fmpq *width, pby_error *err);
PBY_CHECKED
pby_status pby_trace_lower_epsilon(arb_t ball, const pby_trace_lower *x, const fmpq_t delta,
                                   const fmpq *width, pby_error *err);

#endif
