/* SPDX-License-Identifier: MIT */
/* The hockey-stick divergence of a Gaussian and its shift, from the densities alone.
 *
 * The integral of max(0, p(x) - exp(e) q(x)), p the density of variance s and q(x) = p(x - D): the second
 * route to what gauss.c has in closed form. No error function, no law of the loss.
 *
 * Both densities are equal, p(c) = exp(e) q(c), at c = D/2 - s e/D alone, and below it p is the larger. The
 * excess is greatest near z = min(c, 0); at x = z - y it is p(z) exp((2 z y - y^2)/(2s)) (1 - exp(-D (y + c -
 * z)/s)), in which no two large numbers cancel however small it is. */
#ifndef PBY_MECHANISM_GAUSS_GAUSS_INTEGRAL_H
#define PBY_MECHANISM_GAUSS_GAUSS_INTEGRAL_H

#include <arb.h>
#include <flint/fmpq.h>

/* s, D > 0. The ball shrinks with prec. */
void pby_gauss_integral(arb_t ball, const fmpq_t sigma2, const fmpq_t shift, const fmpq_t epsilon,
                        slong prec);

#endif
