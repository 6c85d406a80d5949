/* SPDX-License-Identifier: MIT */
/* [Flex] Algorithm 1 in rationals: tau = 1/2, and exp(-epsilon/4) = r a rational. Lengths are told in
 * quarters: the threshold q = tau n is a multiple of 2 quarters, its middle and the borders of rounding are
 * whole quarters, and every chance is rational. */
#ifndef PBY_TESTS_CLAIMS_STLAP_H
#define PBY_TESTS_CLAIMS_STLAP_H

#include "tests/exact/law.h"

/* The chance that z, shifted truncated Laplace on [-q, 0], is between lo and hi; all in quarters, q even. */
void claims_noise(mpq_t out, mpq_srcptr r, long q, long lo, long hi);

/* The law of the release of x, of `bars` bars and n records in all: outcome sum of y_i (top+1)^i, no count
 * above top. */
void claims_release(exact_law *out, mpq_srcptr r, const unsigned *x, size_t bars, unsigned top);

/* (exp(epsilon) - 1) / (2 (exp(epsilon q/2) - 1)) for q = n/2, the delta of Corollary 3. */
void claims_corollary_3(mpq_t out, mpq_srcptr r, unsigned n);

/* base^k, also for k < 0. */
void claims_power(mpq_t out, mpq_srcptr base, long k);

#endif
