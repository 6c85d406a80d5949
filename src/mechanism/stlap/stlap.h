/* SPDX-License-Identifier: MIT */
/* The shifted truncated Laplace histogram, for the families that end in it. */
#ifndef PBY_MECHANISM_STLAP_STLAP_H
#define PBY_MECHANISM_STLAP_STLAP_H

#include "mechanism/family.h"

/* The pairs for a threshold q that does not move. A histogram of one bar alone has no other to trade a
 * record with, and under substitution never changes. */
pby_status pby_stlap_pairs(pby_pairs *out, const fmpq_t eps, const fmpq_t q, pby_neighbours relation,
                           bool alone, pby_error *err);

/* (exp(e) - 1) / (2 (exp(e q/2) - 1)), claimed at the mechanism's own epsilon e. */
bool pby_stlap_claim_terms(pby_expsum_t numerator, pby_expsum_t denominator, const fmpq_t eps, const fmpq_t q,
                           pby_neighbours relation, const fmpq_t epsilon);
bool pby_stlap_claim(arb_t delta, const fmpq_t eps, const fmpq_t q, pby_neighbours relation,
                     const fmpq_t epsilon, slong prec);

pby_status pby_stlap_release(const pby_mechanism *m, pby_sampler *sampler, pby_entropy *source,
                             const int64_t *counts, int64_t *noisy, size_t n, pby_error *err);

#endif
