/* SPDX-License-Identifier: MIT */
/* The most that a mechanism loses whose Renyi divergence of one order is bounded.
 *
 * For every mechanism with D_A(P||Q) <= r and D_A(Q||P) <= r between all neighbours, delta at epsilon is at
 * most the maximum of p - x q, x = exp(epsilon), over the chances (p, q) of two coins that keep the promise:
 * F(p, q) <= R and F(q, p) <= R with
 *
 *     F(p, q) = p^A q^(1-A) + (1-p)^A (1-q)^(1-A),   R = exp((A-1) r),
 *
 * and the coins attain it. A point that is found in floating point is certified from both sides in balls: a
 * pair of coins nearby that keeps the promise is below, and the tangents of the convex F are above.
 * docs/theory/conversions.md.
 */
#ifndef PBY_LOSS_PROFILE_ONE_ORDER_H
#define PBY_LOSS_PROFILE_ONE_ORDER_H

#include <arb.h>
#include <flint/fmpq.h>

#include "loss/profile/profile.h"

/* The promise: the order above 1, and what the divergence of that order is at most, above 0. */
typedef struct pby_one_order {
    fmpq_t order, most;
} pby_one_order;

void pby_one_order_init(pby_one_order *promise);
void pby_one_order_clear(pby_one_order *promise);

/* A ball around the maximum, which shrinks with prec. */
void pby_one_order_delta(arb_t ball, const pby_one_order *promise, const fmpq_t epsilon, slong prec);

/* Two coins that keep the promise, whose p - exp(epsilon) q is the lower end of that ball; epsilon >= 0. p
 * and q are dyadic. */
void pby_one_order_coins(fmpq_t p, fmpq_t q, const pby_one_order *promise, const fmpq_t epsilon, slong prec);

/* True if the coins keep the promise for certain, in one order and in the other. */
bool pby_one_order_keeps(const pby_one_order *promise, const fmpq_t p, const fmpq_t q, slong prec);

/* The profile of the maximum. Copies the promise. */
pby_status pby_profile_of_order(pby_profile **out, const pby_one_order *promise, pby_error *err);

#endif
