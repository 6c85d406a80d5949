/* SPDX-License-Identifier: MIT */
/* Points in CSV, bucketed and released.
 *
 * One point a line, its coordinates separated by commas, each a number as probity/rational.h reads it, in
 * quotes or not. They are read once, and no copy of them is kept. A UTF-8 byte order mark may stand in front,
 * and csv_row.h says when the first line is a header. A line may end with a carriage return and a newline.
 * Refused, by line and column and without the value: a number that is none, another number of columns than
 * the mechanism's, a point outside unless the spec clamps it. An input without a point is not refused: that
 * would tell it from one with a single point.
 *
 * Written: CENTRE,COUNT of each bucket that the release leaves occupied, in the order of the centres, whose
 * coordinates are separated by spaces, each an exact decimal or, where there is none, a fraction. A bucket
 * that is not written has the count 0, whether it was empty or has lost all it held. In JSON a bucket is
 * {"centre": ["COORDINATE", ...], "count": COUNT}. Of several uses CENTRE,COUNT_1,COUNT_2,... of each bucket
 * that some use leaves occupied. */
#ifndef PBY_RELEASE_POINTS_H
#define PBY_RELEASE_POINTS_H

#include <gmp.h>

#include "probity/experimental/bucketing.h"
#include "probity/spec.h"
#include "table/row/lines.h"

/* The coordinates of a line, which is cut into its fields. */
PBY_CHECKED
pby_status pby_point_read(const pby_lines *in, mpq_t *x, size_t dimension, char *line, pby_error *err);

/* Refuses a timing-safe release where not every bucket is drawn for; argument is what asked for one. */
PBY_CHECKED
pby_status pby_points_timing_safe(const pby_spec *spec, const char *argument, pby_error *err);

#endif
