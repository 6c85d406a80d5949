/* SPDX-License-Identifier: MIT */
/* The laws by name, one constructor each. A constructor sets *out to NULL and refuses parameters
 * that cannot be sampled; the parameters' own ranges are the mechanism's to check. */
#ifndef PBY_LAW_LAWS_H
#define PBY_LAW_LAWS_H

#include "law/law.h"

/* Two-sided geometric (discrete Laplace): mass (1-a)/(1+a) a^|k|, a = exp(-rate), rate > 0. */
pby_status pby_law_geometric(pby_law **out, const fmpq_t rate, pby_error *err);

/* pby_law_geometric with rate = eps / sensitivity: noise that costs eps when a count moves by the
 * sensitivity. */
pby_status pby_law_geometric_over(pby_law **out, const fmpq_t eps, const fmpq_t sensitivity, pby_error *err);

/* The two-sided geometric law clipped at -bound and bound, its tails heaped on the ends; bound >= 1. */
pby_status pby_law_tgeometric(pby_law **out, const fmpq_t rate, int64_t bound, pby_error *err);

/* Writes the rate and the cdf of that law as definitions of Coq. */
void pby_law_tgeometric_state(FILE *out, const fmpq_t rate, int64_t bound);

/* The discrete Gaussian: mass proportional to exp(-k^2/(2 sigma2)), sigma2 > 0. Not a sum of
 * exponentials. The body covers 7.5 standard deviations on each side, as long as that takes at most
 * 2^20 cells (sigma2 up to about 5e9); beyond it a draw inverts the cdf, which takes milliseconds but is
 * exact. */
pby_status pby_law_dgauss(pby_law **out, const fmpq_t sigma2, pby_error *err);

/* The shifted truncated Laplace law, rounded: R = round(z), z on [-q, 0] with density proportional
 * to exp(-eps |z + q/2|); eps > 0, q > 0. */
pby_status pby_law_stlap(pby_law **out, const fmpq_t eps, const fmpq_t q, pby_error *err);

/* pby_law_stlap, rounded up, so that no count loses q or more. */
pby_status pby_law_stlap_up(pby_law **out, const fmpq_t eps, const fmpq_t q, pby_error *err);

/* The noise of partition selection, which takes records away from a count: R on 1-K .. 0 such that k + R > 0
 * with the largest chance that (eps, delta) allows; eps > 0, 0 < delta <= 1. */
pby_status pby_law_partition(pby_law **out, const fmpq_t eps, const fmpq_t delta, pby_error *err);

/* The first k from which on 1 - p_(k+1) is linear in 1 - p_k, up to the end; before it p_(k+1) is linear in
 * p_k (docs/theory/partition.md). Of such a law alone. */
int64_t pby_law_partition_turn(const pby_law *law);

/* The distance by which an answer of randomised response lies behind the truth, on a circle of so many
 * answers, at least 2: 0 with odds g = odds exp(eps), and each other answer with odds 1; odds > 0. */
pby_status pby_law_response(pby_law **out, const fmpq_t odds, const fmpq_t eps, int64_t answers,
                            pby_error *err);

/* Mass in proportion to times[l] exp(-fall[l]) on l = 0 .. n-1, where 0 = fall[0] < fall[1] < ..., every
 * times[l] is at least 1, and n is from 1 to PBY_CELLS_MAX. */
pby_status pby_law_levels(pby_law **out, const fmpq *fall, const uint64_t *times, size_t n, pby_error *err);

/* One digit of a geometric magnitude: mass proportional to exp(-rate k) on 0 .. base-1. */
pby_status pby_law_digit(pby_law **out, const fmpq_t rate, int64_t base, pby_error *err);

/* One-sided geometric: mass (1-a) a^k on 0, 1, 2, ..., its body the first `base` values. */
pby_status pby_law_magnitude(pby_law **out, const fmpq_t rate, int64_t base, pby_error *err);

/* pby_law_magnitude, ready for draws at any rate from 2^-40 on. */
pby_status pby_law_one_sided(pby_law **out, const fmpq_t rate, pby_error *err);

/* The widest support or body that a cut table may have, in cells. */
enum { PBY_CELLS_MAX = 1 << 20 };

#endif
