/* SPDX-License-Identifier: MIT */
/* Runs beside their replays on the other input: shifts, findings, and the upper end of the loss. */
#ifndef PBY_AUDIT_TRACE_TRACE_ALIGN_H
#define PBY_AUDIT_TRACE_TRACE_ALIGN_H

#include "audit/trace/trace_finding.h"
#include "audit/trace/trace_side.h"
#include "audit/trace/trace_terms.h"

/* The greatest shift that a site of the left program has, for people. */
typedef struct pby_trace_site {
    const char *site; /* of a run that is kept */
    pby_trace_law law;
    pby_trace_number shift, scale, declared;
    bool has_declared;
} pby_trace_site;

/* An element of noise over all pairs of runs. */
typedef struct pby_aligned {
    bool seen, varies, no_end; /* no_end: no upper end is known */
    pby_trace_law law;
    mpq_t ratio; /* the greatest |shift| / (scale |factor|); of integer laws the shift in steps */
    mpq_t scale; /* of integer laws */
    const pby_trace_noise *choice[2];
    const char *spec;
} pby_aligned;

typedef struct pby_alignment {
    pby_findings findings;
    bool unaligned; /* another call, law, shape or sum under replay */
    bool moved;     /* noise of scale 0 whose centre moves: delta is 1 */
    pby_aligned *noise;
    size_t count, room;
    pby_trace_site *sites;
    size_t sites_count, sites_room;
} pby_alignment;

void pby_alignment_init(pby_alignment *a);
void pby_alignment_clear(pby_alignment *a);

/* Compares every run with that of its number on the other side; slack is the relative excess over a declared
 * sensitivity that is rounding. */
PBY_CHECKED
pby_status pby_align(pby_alignment *a, const pby_trace_side side[2], mpq_srcptr slack, pby_error *err);

/* The terms of the upper end; *known is false if there is none but 1. */
PBY_CHECKED
pby_status pby_alignment_terms(pby_trace_terms *out, bool *known, const pby_alignment *a, pby_error *err);

#endif
