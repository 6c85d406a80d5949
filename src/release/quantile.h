/* SPDX-License-Identifier: MIT */
/* Quantiles of a column of raw records, by group (docs/theory/records.md).
 *
 * The candidates of a group are the points of the declared grid. The score of a point v of the P-quantile is
 * -|(1 - P) L - P G|, with L records below v and G above it: no number of records is needed, which is a
 * secret. A quantile of all groups is one use of exponential, since all losses of it lie in an interval of
 * its epsilon; several quantiles are as many mechanisms, charged as one composition.
 */
#ifndef PBY_RELEASE_QUANTILE_H
#define PBY_RELEASE_QUANTILE_H

#include <gmp.h>
#include <stddef.h>

#include "probity/release.h"
#include "release/budget.h"
#include "table/records/records.h"
#include "table/rows.h"

enum { PBY_QUANTILES_MAX = 64 };

typedef struct pby_quantiles {
    size_t count;
    long over[PBY_QUANTILES_MAX], under[PBY_QUANTILES_MAX]; /* over/under, above 0 and below 1 */
} pby_quantiles;

/* Rationals separated by commas; a refusal names the argument. NULL is refused. */
PBY_CHECKED
pby_status pby_quantiles_parse(pby_quantiles *out, const char *argument, const char *text, pby_error *err);

/* Refuses a spec that has other mechanisms, or takes a user to move scores less than the records may; and
 * more points of all groups together than are counted. */
PBY_CHECKED
pby_status pby_quantile_check(const pby_budget *budget, const pby_records *records, const pby_quantiles *q,
                              pby_error *err);

/* Reads the records, charges, draws and writes a row for each group. */
PBY_CHECKED
pby_status pby_quantile_release(const pby_budget *budget, pby_records *records, const pby_quantiles *q,
                                pby_rows *rows, pby_error *err);

#endif
