/* SPDX-License-Identifier: MIT */
/* Two answers with one-sided geometric noise of rate log 2, mass 2^-(z+1) at z = 0, 1, ..., in exact
 * rationals. */
#ifndef PBY_TESTS_NEGATIVE_ONE_SIDED_H
#define PBY_TESTS_NEGATIVE_ONE_SIDED_H

#include <flint/fmpq.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which of the two wins, 0 or 1. */
typedef size_t one_sided_winner(const int64_t *x, const int64_t *z);

/* The first wins with a chance from `least` to `most`: noise up to 40 is run, and what is beyond, less than
 * 2^-39, may go either way. */
void one_sided_chance(fmpq_t least, fmpq_t most, one_sided_winner *winner, const int64_t x[2]);

#endif
