/* SPDX-License-Identifier: MIT */
/* Functions that all pairs of bounded range (exponential/curve.h) share, whether the length of the interval
 * of their losses is a rational or a logarithm. */
#ifndef PBY_MECHANISM_EXPONENTIAL_EXPONENTIAL_BOUNDED_H
#define PBY_MECHANISM_EXPONENTIAL_EXPONENTIAL_BOUNDED_H

#include "pair/sided.h"

/* units log(base), and units where base is NULL or 0. */
typedef struct pby_bounded_length {
    const fmpq *units, *base;
} pby_bounded_length;

/* out = the length, somewhat more precise than prec, so that what is near it may be subtracted */
void pby_bounded_length_ball(arb_t out, const pby_bounded_length *length, slong prec);

/* out = 1 - exp(-length) */
void pby_bounded_norm(arb_t out, const arb_t length, slong prec);

/* The weight of the losses above l, or not above it, on P or Q of the pair that is the worst at l. `near` is
 * what that pair's t is from the end of the interval on that side: length - t above, t below. */
void pby_bounded_weight(arb_t weight, const arb_t length, const arb_t near, pby_which which, bool above,
                        slong prec);

/* The greatest Renyi divergence of an order from 1 on, over the pairs with t in [from, to], or over all where
 * both are NULL. */
void pby_bounded_divergence(arb_t ball, const arb_t length, const fmpq *from, const fmpq *to,
                            const fmpq_t order, slong prec);

/* The greatest D_t(exp(epsilon)) for t in [least, most], which lies in [epsilon, epsilon + length]. */
pby_status pby_bounded_greatest(arb_t ball, const pby_bounded_length *length, const fmpq_t epsilon,
                                const fmpq_t least, const fmpq_t most, slong prec, pby_error *err);

#endif
