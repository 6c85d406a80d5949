/* SPDX-License-Identifier: MIT */
/* The curve of the discrete Gaussian and its shift.
 *
 * P is the discrete Gaussian of parameter s, Q the same shifted by D. The loss at k is
 * L(k) = (D^2 - 2 k D)/(2s), which falls with k, so that L > t exactly for k <= c, where
 * c = ceil(D/2 - s t/D) - 1: an integer known exactly. Masses are weights f(k) = exp(-k^2/(2s)) and
 * f(k - D), over one normaliser. */
#ifndef PBY_MECHANISM_GAUSS_DGAUSS_CURVE_H
#define PBY_MECHANISM_GAUSS_DGAUSS_CURVE_H

#include "law/gauss_sum.h"
#include "pair/sided.h"

typedef struct pby_dgauss {
    pby_sided base;
    fmpq_t sigma2;
    fmpz_t shift; /* D >= 1 */
} pby_dgauss;

pby_status pby_dgauss_curve(pby_curve **out, const fmpq_t sigma2, const fmpz_t shift, pby_error *err);

/* True if 2^-8192 <= sigma2 <= 2^8192: then the tails are found in about a second. */
bool pby_dgauss_tractable(const fmpq_t sigma2);

/* The greatest k with L(k) > t. */
void pby_dgauss_edge(fmpz_t k, const pby_dgauss *d, const fmpq_t t);

/* A walk over the weights of k, k-1, k-2, ... under P or Q. */
void pby_dgauss_walk(pby_gauss_walk *walk, const pby_dgauss *d, pby_which which, const fmpz_t k, slong prec);

/* The member `direct` of its class: the sum over the outcomes, one after the other. */
pby_status pby_dgauss_direct(arb_t ball, const pby_curve *curve, const fmpq_t epsilon, slong prec,
                             pby_error *err);

#endif
