/* SPDX-License-Identifier: MIT */
/* Sums, means and variances of a column of raw records, by group (docs/theory/records.md).
 *
 * Numbers are steps of the declared grid. A sum takes one mechanism; a mean a count and a sum, both noisy; a
 * variance also a sum of squares: as many as the spec has, in this order, each geometric or dgauss, and each
 * charged with the others as one composition. Sums and squares of means and variances are taken from the
 * middle of the bounds, where they move least.
 */
#ifndef PBY_RELEASE_MOMENT_H
#define PBY_RELEASE_MOMENT_H

#include "probity/release.h"
#include "release/budget.h"
#include "table/records/records.h"
#include "table/rows.h"

/* Refuses a spec that has other mechanisms, or takes a user to move them less than the records may. */
PBY_CHECKED
pby_status pby_moment_check(const pby_budget *budget, const pby_records *records, pby_moment moment,
                            pby_error *err);

/* Reads the records, charges, draws and writes a row for each group. */
PBY_CHECKED
pby_status pby_moment_release(const pby_budget *budget, pby_records *records, pby_moment moment,
                              pby_rows *rows, pby_error *err);

/* What stands over the groups and the columns behind them, up to a NULL; the shape of a store. */
PBY_CHECKED
pby_status pby_moment_header(pby_rows *rows, const pby_records *records, const char *const *columns,
                             pby_error *err);

#endif
