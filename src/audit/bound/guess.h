/* SPDX-License-Identifier: MIT */
/* Quick estimates in doubles, by which events are chosen and searches are steered. Nothing that is
 * printed rests on them: what they suggest is then proved, or dropped. */
#ifndef PBY_AUDIT_BOUND_GUESS_H
#define PBY_AUDIT_BOUND_GUESS_H

#include <flint/fmpq.h>
#include <stdint.h>

/* About log P[Bin(n, p) >= x] and log P[Bin(n, p) <= x]. */
double pby_guess_above(uint64_t n, double p, uint64_t x);
double pby_guess_below(uint64_t n, double p, uint64_t x);

/* About log P[Bin(n, p) = x], 0 < p < 1. */
double pby_guess_mass(uint64_t n, double p, uint64_t x);

/* About the Clopper-Pearson bounds at so many standard errors, by the Wilson-Hilferty cube root; cheap
 * enough for a million candidates. Counts may be fractional. */
double pby_guess_lower(double n, double x, double z);
double pby_guess_upper(double n, double x, double z);

/* About the z with P[N(0,1) > z] = exp(log_tail). */
double pby_guess_z(double log_tail);

/* A rational as a double. */
double pby_guess_of(const fmpq_t x);

#endif
