/* SPDX-License-Identifier: MIT */
/* The curve of discrete Gaussian noise on many coordinates and its shift by an integer vector v.
 *
 * The loss at k is L = (|v|^2 - 2 <v, k>)/(2s): it depends on j = <v, k> alone, and shifted by v the law of j
 * is shifted by |v|^2. So P(L > t) = P(J <= c) and Q(L > t) = P(J <= c - |v|^2), c = ceil(|v|^2/2 - s t) - 1,
 * J being the inner product of noise and v (law/inner.h). Renyi divergences are sums of those of the
 * coordinates. */
#ifndef PBY_MECHANISM_GAUSS_DGAUSS_VECTOR_H
#define PBY_MECHANISM_GAUSS_DGAUSS_VECTOR_H

#include "law/inner.h"
#include "pair/pair.h"

/* The law of J that was listed last, which serves what needs no more of it. A curve is made for one question,
 * and by one thread. */
typedef struct pby_listed {
    pby_inner law;
    ulong nats;
    slong prec; /* 0 where there is none */
} pby_listed;

typedef struct pby_dgauss_vector {
    pby_curve base;
    fmpq_t sigma2;
    pby_shift shift;
    fmpz_t norm2;
    pby_listed *last;
    pby_curve *each[PBY_SHIFT_VALUES]; /* of one coordinate, for each value */
} pby_dgauss_vector;

/* That of one coordinate is the curve of dgauss_curve.h. */
pby_status pby_dgauss_vector_curve(pby_curve **out, const fmpq_t sigma2, const pby_shift *shift,
                                   pby_error *err);

/* True if norm2 sigma2 <= 2^bits and sigma2 >= 2^-16, so that the law of J is short. */
bool pby_dgauss_vector_tractable(const fmpq_t sigma2, ulong norm2, ulong bits);

/* The greatest j with L > t. */
void pby_dgauss_vector_edge(fmpz_t c, const pby_dgauss_vector *d, const fmpq_t t);

/* The member `direct` of its class: outcomes by schoolbook convolution, and their excesses added up. */
pby_status pby_dgauss_vector_direct(arb_t ball, const pby_curve *curve, const fmpq_t epsilon, slong prec,
                                    pby_error *err);

#endif
