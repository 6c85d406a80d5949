/* SPDX-License-Identifier: MIT */
/* exp of a rational between two rationals, by its series alone: independent of any ball. */
#ifndef PBY_TESTS_LAW_RATIONAL_EXP_H
#define PBY_TESTS_LAW_RATIONAL_EXP_H

#include <flint/fmpq.h>

/* lo < exp(-x) < hi for 0 <= x <= 20 (equal ends at x = 0), less than 2^-100 apart. */
void rational_exp_neg(fmpq_t lo, fmpq_t hi, const fmpq_t x);

#endif
