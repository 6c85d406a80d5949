/* SPDX-License-Identifier: MIT */
/* Certified bisection: a root between two rationals, by signs that are always right. */
#ifndef PBY_NUMBER_BISECT_H
#define PBY_NUMBER_BISECT_H

#include <arb.h>
#include <flint/fmpq.h>

#include "base/status.h"

/* The answer of a sign function that cannot tell, at a point too near to the root. */
enum { PBY_UNDECIDED = 2 };

/* The sign of f(x) for a decreasing f: -1, 1, 0 only when f(x) = 0 is known for certain, or
 * PBY_UNDECIDED. */
typedef pby_status (*pby_sign_at)(int *sign, const fmpq_t x, const void *what, pby_error *err);

/* A ball around the root of a strictly decreasing f that has one, good to that many significant digits. A
 * guess says where to look first (NULL: there is none), and what is found there is believed by the signs
 * alone: a good one needs two calls of f. Otherwise each step is one, at a dyadic rational, and their number
 * grows with the digits and with the logarithm of the root's size. Where f cannot tell at the middle, other
 * points of the interval are tried; where it can tell at none, PBY_FAILED. Refused: a root above 2^1024 in
 * size, or within 2^-16384 of zero. */
pby_status pby_bisect(arb_t root, pby_sign_at f, const void *what, const fmpq *guess, unsigned digits,
                      pby_error *err);

#endif
