/* SPDX-License-Identifier: MIT */
/* Binomial chances in exact rationals, for small n. */
#ifndef PBY_TESTS_AUDIT_BINOMIAL_H
#define PBY_TESTS_AUDIT_BINOMIAL_H

#include <arb.h>
#include <flint/fmpq.h>
#include <stdbool.h>
#include <stdint.h>

/* P[Bin(n, p) = x], P[Bin(n, p) >= x] and P[Bin(n, p) <= x]. */
void binomial_mass(fmpq_t out, uint64_t n, const fmpq_t p, uint64_t x);
void binomial_above(fmpq_t out, uint64_t n, const fmpq_t p, uint64_t x);
void binomial_below(fmpq_t out, uint64_t n, const fmpq_t p, uint64_t x);

/* The exact value of a ball without radius. */
void binomial_exact(fmpq_t out, const arb_t x);

/* True if so many of n is believable when each had a chance of at most p: false when so many or more
 * have a chance of at most 1e-9. */
bool binomial_believable(uint64_t n, uint64_t x, double p);

#endif
