/* SPDX-License-Identifier: MIT */
/* The least rho of zero-concentrated differential privacy.
 *
 *     rho(xi) = the supremum over a > 1 of (D_a - xi) / a, or 0 if that is negative
 *
 * found by branch and bound over orders. With K(a) = (a-1)(D_a - xi), convex and 0 at a = 1, the quotient
 * is K(a) / (a (a-1)), and these bounds cover the line:
 *
 *   [x, y]     K lies under its chord (loss/divergence/chord.h), and further down by its least bend
 *   [x, inf)   D_a <= D_inf, so that the quotient is at most (D_inf - xi) / x
 *   inf        the quotient tends to the rho of the parts in closed form
 *
 * The chord's bound closes with the square of the interval's length and faster where K is nearly a
 * parabola, as it is for small losses: a quotient that is all but flat is decided as well. The Gaussian
 * laws, whose D_inf is infinite and whose quotient has no peak, are known in closed form
 * (pby_curve_class.rho) and only added. Derivations: docs/theory/zcdp.md.
 */
#ifndef PBY_LOSS_DIVERGENCE_DIVERGENCE_ZCDP_H
#define PBY_LOSS_DIVERGENCE_DIVERGENCE_ZCDP_H

#include "loss/divergence/spectrum.h"

/* A divergence is evaluated at most so often; the enclosure reached by then is the answer. */
enum { PBY_ZCDP_WORK = 20000 };

/* A ball around rho(xi) for xi >= 0, to that many significant digits if the work suffices. inf where no
 * rho will do. */
pby_status pby_zcdp_rho(arb_t ball, const pby_spectrum *s, const fmpq_t xi, unsigned digits, pby_error *err);

#endif
