/* SPDX-License-Identifier: MIT */
/* Two-sided geometric noise of rate log 2, as exact rationals: mass 2^-|z| / 3 at z. */
#ifndef PBY_TESTS_NEGATIVE_GEOMETRIC_H
#define PBY_TESTS_NEGATIVE_GEOMETRIC_H

#include <flint/fmpq.h>
#include <stdint.h>

/* The chance of z, and of a value not above z, times 3; |z| is at most 200. */
void geometric_mass(fmpq_t out, int64_t z);
void geometric_below(fmpq_t out, int64_t z);

#endif
