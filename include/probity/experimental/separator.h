/* SPDX-License-Identifier: MIT */
/* The hyperplane between two sets of points that is farthest from both, in exact rationals.
 *
 * Let p and q be nearest points of the convex hulls of the two sets. The hyperplane is where w z = c, w = p -
 * q and c = (|p|^2 - |q|^2)/2: the first set has w z >= c + |w|^2/2, the second w z <= c - |w|^2/2. p and q
 * need not be the only nearest points; w and c are the only ones. Hulls that meet, and an empty set, have no
 * such hyperplane. Of a release this is post-processing and costs no privacy (docs/theory/separator.md). */
#ifndef PROBITY_EXPERIMENTAL_SEPARATOR_H
#define PROBITY_EXPERIMENTAL_SEPARATOR_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>

#include "probity/status.h"

PBY_BEGIN_API

typedef struct pby_separator {
    size_t dimension;
    bool both;      /* neither set is empty; otherwise nothing below has a meaning */
    mpq_t *normal;  /* w; all 0 where the hulls meet */
    mpq_t level;    /* c */
    mpq_t distance; /* |w|^2, the square of the distance of the hulls */
} pby_separator;

/* n points of `dimension` coordinates each, one behind the other; second[i] says which set point i is of. At
 * most 64 coordinates. *out is NULL on failure. */
PBY_CHECKED
pby_status pby_separate(pby_separator **out, const mpq_t *point, const bool *second, size_t n,
                        size_t dimension, pby_error *err) PBY_NONNULL(1);
void pby_separator_free(pby_separator *separator);

/* pby_separate with coordinates as text. The normal has its coordinates separated by spaces; all three are
 * exact, for free(3), and NULL where a set is empty. */
PBY_CHECKED
pby_status pby_separate_text(char **normal, char **level, char **distance, const char *const *point,
                             const bool *second, size_t n, size_t dimension, pby_error *err)
    PBY_NONNULL(1, 2, 3);

PBY_END_API

#endif
