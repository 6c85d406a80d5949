/* SPDX-License-Identifier: MIT */
/* Points of [0, B)^d, counted into cubes of side w (the mechanism buckethist).
 *
 *     pby_bucketing *p;
 *     pby_bucketing_new(&p, spec, err);
 *     while (more)
 *         pby_bucketing_add(p, x, err);                    the d coordinates of one point
 *     pby_bucketing_close(p, err);
 *     counts = pby_bucketing_counts(p, &n);                a histogram to release
 *     pby_bucketing_centre(c, p, i);                       of its bar i
 *
 * All arithmetic is exact: a point on the border of two buckets belongs to the upper one, and the centre of a
 * point's bucket is within w/2 of it in every coordinate. Where w does not divide B the last bucket sticks
 * out, and its centre may lie outside [0, B).
 *
 * There may be 2^62 cubes and 62 coordinates. Up to 2^24 cubes all are bars of the histogram; of more, those
 * that hold a point: the others have the count 0, which stlap releases as 0 without a draw. So nothing is
 * released that depends on which cubes are bars, but how long it takes does.
 */
#ifndef PROBITY_EXPERIMENTAL_BUCKETING_H
#define PROBITY_EXPERIMENTAL_BUCKETING_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/spec.h"
#include "probity/status.h"

PBY_BEGIN_API

typedef struct pby_bucketing pby_bucketing;

/* Returns true if the spec is one mechanism that takes points. */
PBY_CHECKED
bool pby_bucketing_wanted(const pby_spec *spec) PBY_NONNULL(1);

PBY_CHECKED
pby_status pby_bucketing_new(pby_bucketing **out, const pby_spec *spec, pby_error *err) PBY_NONNULL(1, 2);
PBY_CHECKED
size_t pby_bucketing_dimension(const pby_bucketing *p) PBY_NONNULL(1);

/* Counts one point, or refuses it (PBY_BAD) when a coordinate is outside [0, B) and the spec does not say
 * outside=clamp. The text does not show the point. */
PBY_CHECKED
pby_status pby_bucketing_add(pby_bucketing *p, const mpq_t *x, pby_error *err) PBY_NONNULL(1, 2);

/* Returns true if every cube is a bar, as a timing-safe release needs it. */
PBY_CHECKED
bool pby_bucketing_whole(const pby_bucketing *p) PBY_NONNULL(1);

/* To be called once, when all points are added, and before the counts are read. */
PBY_CHECKED
pby_status pby_bucketing_close(pby_bucketing *p, pby_error *err) PBY_NONNULL(1);

/* The counts, one for each bar, the last coordinate running fastest; they belong to p. */
const int64_t *pby_bucketing_counts(const pby_bucketing *p, size_t *n) PBY_NONNULL(1, 2);

/* The d coordinates of the centre of bar i. */
void pby_bucketing_centre(mpq_t *centre, const pby_bucketing *p, size_t i) PBY_NONNULL(1, 2);

/* Wipes and frees. NULL is allowed. */
void pby_bucketing_free(pby_bucketing *p);

/* A point whose coordinates are texts; and a centre as text, coordinates separated by spaces, for free(3). */
PBY_CHECKED
pby_status pby_bucketing_add_text(pby_bucketing *p, const char *const *x, pby_error *err) PBY_NONNULL(1, 2);
PBY_CHECKED
pby_status pby_bucketing_centre_text(char **centre, const pby_bucketing *p, size_t i, pby_error *err)
    PBY_NONNULL(1, 2);

PBY_END_API

#endif
