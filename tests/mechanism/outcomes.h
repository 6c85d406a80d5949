/* SPDX-License-Identifier: MIT */
/* Output laws of small releases, bar by bar, and their divergence by enumeration: shares nothing with the
 * library but Arb. */
#ifndef PBY_TESTS_MECHANISM_OUTCOMES_H
#define PBY_TESTS_MECHANISM_OUTCOMES_H

#include <arb.h>
#include <flint/fmpq.h>

#include "probity/spec.h"

enum { OUTCOMES_PREC = 256 };

/* H_e between two products of `bars` bars, each a list of `outcomes` chances. */
void outcomes_divergence(arb_t out, const arb_ptr *p, const arb_ptr *q, int bars, slong outcomes,
                         const fmpq_t epsilon);

/* The largest divergence of a spec's pairs, outcome by outcome. */
void outcomes_bound(arb_t out, const char *spec, pby_neighbours relation, const fmpq_t epsilon);

/* Fails the running test when worst is above bound, or, where it should be reached, below it by 2^-180. */
void outcomes_check(const arb_t bound, const arb_t worst, int reached, const char *spec);

/* P(G = k) and P(G >= k) of the two-sided geometric law, from its definition. */
void outcomes_geometric(arb_t out, const fmpq_t rate, slong k);
void outcomes_geometric_from(arb_t out, const fmpq_t rate, slong k);

/* One bar of threshold: outcome 0 is nothing, 1 .. span are T .. T + span - 1, and span + 1 is all beyond,
 * where the ratio of two counts below T + span no longer changes. */
void outcomes_threshold(arb_ptr out, const fmpq_t rate, slong threshold, slong count, slong span);

/* One bar of range: outcome 0 is nothing, 1 + i is the interval around i - most, for i from 0 to span - 1;
 * most is at least the reach. */
void outcomes_range(arb_ptr out, const fmpq_t rate, slong reach, slong count, slong most, slong span);

#endif
