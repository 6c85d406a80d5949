/* SPDX-License-Identifier: MIT */
/* Random exact values for property tests, from a seeded stream. */
#ifndef PBY_TESTS_NUMBER_RANDOM_H
#define PBY_TESTS_NUMBER_RANDOM_H

#include "number/expsum.h"

/* A rational with a numerator in -size .. size and a denominator in 1 .. size. */
void random_rational(fmpq_t q, flint_rand_t state, slong size);

/* A sum of up to `terms` terms. */
void random_expsum(pby_expsum_t x, flint_rand_t state, slong terms);

#endif
