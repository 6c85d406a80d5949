/* SPDX-License-Identifier: MIT */
/* Two Laplace or two normal laws of any centres and scales: a lower bound on their divergence. */
#ifndef PBY_AUDIT_TRACE_TWO_LAWS_H
#define PBY_AUDIT_TRACE_TWO_LAWS_H

#include <arb.h>
#include <flint/fmpq.h>

#include "audit/trace/trace_run.h"

typedef struct pby_two_laws {
    pby_trace_law law; /* PBY_TRACE_LAPLACE or PBY_TRACE_GAUSS */
    fmpq_t centre[2], scale[2];
} pby_two_laws;

void pby_two_laws_init(pby_two_laws *x);
void pby_two_laws_clear(pby_two_laws *x);

/* A ball around a number that is at most the divergence of the first law from the second at epsilon, or, with
 * `reverse`, of the second from the first. It is the divergence of the laws on a partition of the line into
 * intervals, cut where the log ratio is epsilon but for the rounding of the cuts; the partition is a
 * post-processing. The scales are above 0. */
void pby_two_laws_delta(arb_t delta, const pby_two_laws *x, bool reverse, const fmpq_t epsilon, slong prec);

#endif
