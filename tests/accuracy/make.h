/* SPDX-License-Identifier: MIT */
/* Measures and numbers for the tests of accuracy. */
#ifndef PBY_TESTS_ACCURACY_MAKE_H
#define PBY_TESTS_ACCURACY_MAKE_H

#include <flint/flint.h>

#include "probity/experimental/accuracy.h"

/* count atoms at at[i]/unit of mass mass[i]. */
pby_measure *make_measure(const long *at, unsigned long unit, const unsigned long *mass, size_t count);

/* Random atoms, positions 0 .. span-1 over unit, masses 0 .. 4, not all 0. */
pby_measure *random_measure(flint_rand_t state, size_t count, unsigned long span, unsigned long unit);

/* n points, distances from p to q in 0 .. span over unit, 0 on the diagonal; about one in `rare` is
 * infinite, none if rare is 0. The caller clears and frees. */
pby_distance *random_distances(flint_rand_t state, size_t n, unsigned long span, unsigned long unit,
                               unsigned rare);
void free_distances(pby_distance *metric, size_t count);

/* The number as text, "inf" for infinity; it lives until the fourth next call. */
const char *text_of(const pby_distance *x);
const char *text_of_q(mpq_srcptr q);

/* The least b in distances (and 0) such that, for every set S of the n points, p(S) <= q(S within b) +
 * gamma: the distance by duality, without a coupling. p and q are laws. n is at most 16. */
void dual_lossy(pby_distance *out, mpq_srcptr p, mpq_srcptr q, const pby_distance *metric, size_t n,
                mpq_srcptr gamma);

/* pby_accuracy_noisy with beta and gamma as texts, 20 digits. */
pby_status ask_noisy(pby_noisy_accuracy *out, const pby_spec *spec, uint64_t n, uint64_t bars,
                     const char *beta, const char *gamma);

#endif
