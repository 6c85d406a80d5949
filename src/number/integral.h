/* SPDX-License-Identifier: MIT */
/* Integrals of entire functions over a real interval, enclosed.
 *
 * The enclosure is Arb's: Gauss-Legendre quadrature, its error bounded by the size of the function on an
 * ellipse around the interval, which is halved where that bound is not good enough. */
#ifndef PBY_NUMBER_INTEGRAL_H
#define PBY_NUMBER_INTEGRAL_H

#include <acb.h>
#include <flint/fmpq.h>

/* A function without singularities: value encloses what it takes on the ball `at`. */
typedef void (*pby_entire)(acb_t value, const acb_t at, const void *what, slong prec);

/* The integral of a function that is real on the reals, from `from` to `to`. Where no narrower one is found
 * the ball is wide, and as right. */
void pby_integral(arb_t ball, pby_entire f, const void *what, const fmpq_t from, const fmpq_t to, slong prec);

#endif
