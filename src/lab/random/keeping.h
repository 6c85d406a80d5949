/* SPDX-License-Identifier: MIT */
/* Does a random map keep neighbours? The laws of two neighbouring keys can then be coupled on neighbouring or
 * equal values ([Flex] Definition 7, [Robust] Theorem 6; docs/theory/random-functions.md). */
#ifndef PBY_LAB_RANDOM_KEEPING_H
#define PBY_LAB_RANDOM_KEEPING_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>

#include "probity/experimental/accuracy.h"

enum { PBY_KEEPING_MAX = 64 };

/* A map of `before` keys to `after` values, at most PBY_KEEPING_MAX of each: the chance of value j at key i
 * is chance[i * after + j]. near and new_near are symmetric relations of keys and of values. */
typedef struct pby_keeping {
    mpq_srcptr chance;
    const bool *near, *new_near;
    size_t before, after;
} pby_keeping;

/* Refuses a map with more keys or values. */
PBY_CHECKED
pby_status pby_keeping_fits(size_t before, size_t after, pby_error *err);

/* The least number of steps from neighbour to neighbour such that the laws of any two neighbouring keys can
 * be coupled within so many, but for a mass theta: 0 or 1 where the map keeps neighbours, infinite where no
 * number is enough. x and y are the first keys that need as many; *pairs counts those that are neighbours. */
PBY_CHECKED
pby_status pby_keeping_steps(pby_distance *steps, size_t *x, size_t *y, size_t *pairs, const pby_keeping *map,
                             mpq_srcptr theta, pby_error *err);

#endif
