/* SPDX-License-Identifier: MIT */
/* Records in CSV, out of which a point of a public grid is released (probity/release.h).
 *
 * Read as points are (release/points.h). An input without a record is refused only where the number of
 * records is public. Written: x, y, z, w of each point, a line for each use; a number alone is called value.
 * In JSON a row is {"key": "VALUE"} or {"key": ["X", ...]}. */
#ifndef PBY_RELEASE_RELEASE_RECORDS_H
#define PBY_RELEASE_RELEASE_RECORDS_H

#include "probity/release.h"
#include "release/budget.h"
#include "table/lines.h"
#include "table/rows.h"

/* A public direction: a point counts as the sum of its coordinates times these integers. */
enum { PBY_PROJECT_MAX = 62 };
typedef struct pby_project {
    const char *text; /* as it was given, and borrowed */
    size_t dimension;
    long factor[PBY_PROJECT_MAX];
} pby_project;

/* Integers separated by commas, up to 2^31 in size, not all of them 0. */
PBY_CHECKED
pby_status pby_project_parse(pby_project *out, const char *name, const char *text, pby_error *err);

/* A direction, where it is not NULL, belongs to a mechanism that reads numbers. The budget is charged when
 * all records have been read and the scores are known. */
PBY_CHECKED
pby_status pby_release_records(const pby_budget *budget, pby_release *release, pby_lines *in,
                               const pby_project *along, pby_rows *rows, pby_error *err);

#endif
