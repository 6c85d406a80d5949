/* SPDX-License-Identifier: MIT */
/* The curve of continuous Laplace noise and its shift.
 *
 * In units of the scale: P has the density p(x) = exp(-|x|)/2, and Q the same shifted by m > 0, log-concave
 * and symmetric. The loss is m below 0, -m above m, and m - 2x between, so that for -m <= t < m P(L <= t) =
 * exp((t - m)/2)/2,   Q(L > t) = exp(-(t + m)/2)/2. The direct route knows none of this: it integrates the
 * difference of the densities. */
#ifndef PBY_MECHANISM_LAPLACE_LAPLACE_CURVE_H
#define PBY_MECHANISM_LAPLACE_LAPLACE_CURVE_H

#include "pair/pair.h"

pby_status pby_laplace_curve(pby_curve **out, const fmpq_t m, pby_error *err);

#endif
