/* SPDX-License-Identifier: MIT */
/* Goodness of fit with a stated error rate.
 *
 * A count c of n independent draws in an event of chance p exceeds (or falls short of) n p so far
 * only with a chance of at most exp(-n KL(c/n || p)) (Chernoff; no limit theorem is used). Events are
 * the single values and the half-lines of a window; the error rate 1e-9 is shared equally by all of
 * them and both sides, so that a correct sampler fails the test with a chance of at most 1e-9. */
#ifndef PBY_TESTS_LAW_FIT_H
#define PBY_TESTS_LAW_FIT_H

#include "law/sampler.h"

/* Draws n values with a stream seeded by `seed` and checks them against the law on the values and
 * half-lines of `from, from + step, ..., ` up to `to`. Fails the running test if they do not fit. */
void check_fit(pby_sampler *sampler, size_t n, int64_t from, int64_t to, int64_t step, uint8_t seed);

/* A source seeded by 32 bytes of this value. */
pby_entropy *seeded(uint8_t seed);

#endif
