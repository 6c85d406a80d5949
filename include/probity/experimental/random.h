/* SPDX-License-Identifier: MIT */
/* Sensitivities of random functions on finitely many inputs (docs/theory/random-functions.md).
 *
 * A random function is a table of chances: chance + i * after + j is that of the value j on input i, from 0
 * to 1, and each row adds up to 1. Everything is decided by linear programmes in exact rationals.
 */
#ifndef PROBITY_EXPERIMENTAL_RANDOM_H
#define PROBITY_EXPERIMENTAL_RANDOM_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>

#include "probity/experimental/accuracy.h"
#include "probity/status.h"

PBY_BEGIN_API

enum { PBY_RANDOM_MAX = 64, PBY_RANDOM_CHOICES_MAX = 1 << 16 };

typedef struct pby_random_function {
    mpq_srcptr chance;
    size_t before, after; /* inputs and values, at most PBY_RANDOM_MAX of each */
} pby_random_function;

/* The point at which a distortion sensitivity is asked for. f(X) need only be within omega, in `metric`, of
 * the distorted value, but for a mass gamma; 0 and 0 are the sensitivity itself. */
typedef struct pby_random_distortion_at {
    const pby_distance *domain;            /* a distortion on the inputs */
    const pby_distance *codomain, *metric; /* a distortion and a metric on the values */
    const pby_distance *alpha, *omega;
    mpq_srcptr gamma;
} pby_random_distortion_at;

/* Finds how far an input must be distorted, at random, to explain any distortion of its value by alpha;
 * infinite where none does. Refused: more than PBY_RANDOM_CHOICES_MAX ways to distort the values of one
 * input. */
PBY_CHECKED
pby_status pby_random_distortion_sensitivity(pby_distance *out, const pby_random_function *f,
                                             const pby_random_distortion_at *at, pby_error *err)
    PBY_NONNULL(1, 2, 3);

/* Error sensitivity of the random mechanism m for the random f, at (beta1, 0), with the allowances alpha2 and
 * gamma2: at->gamma1 is 0. */
PBY_CHECKED
pby_status pby_random_error_sensitivity(pby_distance *out, const pby_random_function *m,
                                        const pby_random_function *f, const pby_error_sensitivity_at *at,
                                        pby_error *err) PBY_NONNULL(1, 2, 3, 4);

/* Decides if a random map keeps neighbours: if so, the laws of its values on any two neighbouring inputs have
 * a coupling on neighbours and equals. before[i * f->before + j] and after[i * f->after + j] say who are
 * neighbours. */
PBY_CHECKED
pby_status pby_random_keeps_neighbours(bool *out, const pby_random_function *f, const bool *before,
                                       const bool *after, pby_error *err) PBY_NONNULL(1, 2, 3, 4);

/* ---- numbers as text --------------------------------------------------------------------------- */

typedef struct pby_random_words {
    const char *const *chance;
    size_t before, after;
} pby_random_words;

typedef struct pby_random_distortion_words {
    const char *const *domain, *const *codomain, *const *metric;
    const char *alpha, *omega, *gamma;
} pby_random_distortion_words;

/* Distances come out for free(3), "inf" among them. */
PBY_CHECKED
pby_status pby_random_distortion_sensitivity_text(char **out, const pby_random_words *f,
                                                  const pby_random_distortion_words *at, pby_error *err)
    PBY_NONNULL(1, 2, 3);
PBY_CHECKED
pby_status pby_random_error_sensitivity_text(char **out, const pby_random_words *m, const pby_random_words *f,
                                             const pby_error_sensitivity_words *at, pby_error *err)
    PBY_NONNULL(1, 2, 3, 4);
PBY_CHECKED
pby_status pby_random_keeps_neighbours_text(bool *out, const pby_random_words *f, const bool *before,
                                            const bool *after, pby_error *err) PBY_NONNULL(1, 2, 3, 4);

PBY_END_API

#endif
