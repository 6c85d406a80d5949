/* SPDX-License-Identifier: MIT */
/* The capital of bettors against the claim that times keep (epsilon, delta).
 *
 * A fair coin chooses the side of each run. Whatever came before, the claim bounds for each event S and side
 *   P[the run is on the side and its time in S] - exp(epsilon) P[on the other side and in S] <= delta/2,
 * so that a bet which wins 1 - delta/2 in the first case, loses exp(epsilon) + delta/2 in the second and
 * delta/2 in neither gains nothing on average. A bettor stakes a fixed part of what it owns on one event and
 * one side, run after run, if it can pay what may be lost; together they begin with 1. Their capital is a
 * supermartingale that is never negative, so it ever reaches 1/error with a chance of at most error (Ville's
 * inequality). It depends on the counts alone, and falls where epsilon or delta grows
 * (docs/theory/times.md). */
#ifndef PBY_AUDIT_TIMING_TIMES_CAPITAL_H
#define PBY_AUDIT_TIMING_TIMES_CAPITAL_H

#include <arb.h>
#include <flint/fmpq.h>

#include "audit/timing/times.h"

/* The capital of all bettors together. */
void pby_times_capital(arb_t capital, const pby_times_counts *counts, const fmpq_t epsilon,
                       const fmpq_t delta);

/* True if the capital has certainly reached 1/error. */
bool pby_times_refuted(const pby_times_counts *counts, const fmpq_t epsilon, const fmpq_t delta,
                       const fmpq_t error);

/* The largest epsilon, a multiple of 1/10000 up to 20, that is refuted at delta; false if not even 0 is. */
bool pby_times_epsilon(fmpq_t epsilon, const pby_times_counts *counts, const fmpq_t delta,
                       const fmpq_t error);

/* The event and the side on which the bettors against this claim have gained most. */
void pby_times_best(int *event, pby_side *side, const pby_times_counts *counts, const fmpq_t epsilon,
                    const fmpq_t delta);

/* The counts of so many runs whose time tells the side each time: the most that they could show. */
void pby_times_told_apart(pby_times_counts *counts, uint64_t judging);

#endif
