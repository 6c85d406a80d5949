/* SPDX-License-Identifier: MIT */
/* Values without noise to which some choices lead: the probes tell the exact chance of each on both inputs,
 * however rare it is in runs. */
#ifndef PBY_AUDIT_TRACE_TRACE_ATOM_H
#define PBY_AUDIT_TRACE_TRACE_ATOM_H

#include <arb.h>
#include <fmpq.h>

#include "audit/trace/trace_side.h"

/* A value of one coordinate: its chance is `least` or more on one input, and `most` or less on the other. */
typedef struct pby_trace_atom {
    mpq_t least, most;
    size_t group; /* of one coordinate and order: these are disjoint events */
} pby_trace_atom;

typedef struct pby_trace_atoms {
    pby_trace_atom *item; /* by group, each with least > most */
    size_t count, room, groups;
} pby_trace_atoms;

/* Adds the values that are more likely on one input. Call it for sides that are probed (pby_trace_probed). */
PBY_CHECKED
pby_status pby_trace_atoms_find(pby_trace_atoms *out, const pby_trace_side side[2], pby_error *err);
void pby_trace_atoms_clear(pby_trace_atoms *x);

/* Sets a ball around a lower bound on delta(epsilon), and a lower bound on the least epsilon at a delta. */
void pby_trace_atoms_delta(arb_t ball, const pby_trace_atoms *x, const fmpq_t epsilon);
void pby_trace_atoms_epsilon(arb_t ball, const pby_trace_atoms *x, const fmpq_t delta);

#endif
