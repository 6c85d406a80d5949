/* SPDX-License-Identifier: MIT */
/* Sums, means and variances of a column of raw records, by group (docs/theory/records.md).
 *
 * Numbers are steps of the declared grid. A sum takes one mechanism; a mean a count and a sum, both noisy; a
 * variance also a sum of squares: as many as the spec has, in this order, each geometric or dgauss, and each
 * charged with the others as one composition. Sums and squares of means and variances are taken from the
 * middle of the bounds, where they move least.
 */
#ifndef PBY_RELEASE_KIND_MOMENTS_H
#define PBY_RELEASE_KIND_MOMENTS_H

#include "release/input_kind.h"

/* Writes the line over the groups, with the columns behind them up to a NULL; or shapes a store. */
PBY_CHECKED
pby_status pby_moment_header(pby_rows *rows, const pby_records *records, const char *const *columns,
                             pby_error *err);

/* Tells how records of which a number is released were read. */
void pby_moment_learn(pby_learned *out, const void *in, const pby_pipeline *p, const pby_release *release);

#endif
