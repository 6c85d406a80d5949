/* SPDX-License-Identifier: MIT */
/* The hockey-stick divergence of a pair: H_e(P||Q) = sum of max(0, P(o) - exp(e) Q(o)).
 *
 * Which outcomes have a positive part is decided exactly, as the sign of a sum of exponentials; so a
 * pure mechanism has delta 0 at its epsilon, not a small ball around it. */
#ifndef PBY_LOSS_DIVERGENCE_DIVERGENCE_H
#define PBY_LOSS_DIVERGENCE_DIVERGENCE_H

#include "pair/pair.h"

/* The exact value as a quotient, numerator over denominator > 0. */
void pby_hockey_stick(pby_expsum_t numerator, pby_expsum_t denominator, const pby_pair *pair,
                      const fmpq_t epsilon);

/* Computes the number of pby_hockey_stick by another route: outcome by outcome, in balls. */
void pby_hockey_stick_direct(arb_t ball, const pby_pair *pair, const fmpq_t epsilon, slong prec);

/* The divergence of a curve, P(L > e) - exp(e) Q(L > e): an outcome has a positive part exactly when
 * its loss is above e. */
pby_status pby_curve_hockey_stick(arb_t ball, const pby_curve *curve, const fmpq_t epsilon, slong prec,
                                  pby_error *err);

/* P of the outcomes that Q cannot give: what delta tends to as epsilon grows. */
void pby_impossible_mass(pby_expsum_t numerator, const pby_pair *pair);

/* A ball around the largest finite log(P(o)/Q(o)), over the outcomes that both can give; -inf when
 * there is none. */
void pby_largest_loss(arb_t ball, const pby_pair *pair, slong prec);

#endif
