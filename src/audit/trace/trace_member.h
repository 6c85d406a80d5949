/* SPDX-License-Identifier: MIT */
/* Published coordinates whose laws depend on no noise: the set S of docs/greybox.md, *What is certain*. */
#ifndef PBY_AUDIT_TRACE_TRACE_MEMBER_H
#define PBY_AUDIT_TRACE_TRACE_MEMBER_H

#include "audit/trace/trace_side.h"

/* A coordinate on one side: an element of noise times `factor` plus `centre`; of a choice its noise alone. */
typedef struct pby_published {
    size_t noise, element, sum;
    pby_trace_law law;
    const pby_trace_noise *of; /* in the first run */
    pby_trace_number centre;
    mpq_t scale, factor; /* the law's parameter, and a times the factor of the sum */
} pby_published;

typedef struct pby_member {
    const char *path;
    size_t place[2]; /* of the coordinate in the outputs */
    pby_published side[2];
    bool first; /* no earlier member has its noise */
} pby_member;

typedef struct pby_members {
    pby_member *item;
    size_t count, room;
    bool whole; /* the output has no other coordinate, but for constants */
    /* A coordinate that no noise is in, or the exception that ends a run, differs between the sides. */
    bool told, told_by_error;
    size_t told_at[2]; /* the places of that coordinate */
} pby_members;

/* The coordinates that are published and fixed in the runs, and in the probes if `probed`. Choices count only
 * if probed. A path that begins with # tells the form of the output, and refutes nothing. */
PBY_CHECKED
pby_status pby_members_find(pby_members *out, pby_trace_side side[2], bool probed, pby_error *err);
void pby_members_clear(pby_members *m);

/* True if a run has every member of a side, and what is told without noise, as they are in the first. */
bool pby_members_agree(const pby_members *m, const pby_trace_side *of, int side, const pby_trace_run *run);

#endif
