/* SPDX-License-Identifier: MIT */
/* One of several candidates, chosen by its score.
 *
 * table/scored.h says what is read. Written: the name of the candidate, under what the header calls
 * candidates where there is one; in JSON a list of one row, {"key": NAME}. */
#ifndef PBY_RELEASE_CANDIDATES_H
#define PBY_RELEASE_CANDIDATES_H

#include "probity/release.h"
#include "probity/table.h"
#include "release/budget.h"
#include "table/rows.h"

/* What scores are moved into; both ends are public. */
typedef struct pby_score_range {
    mpq_t lo, hi;
} pby_score_range;

/* Of a table, unless that is NULL; else of a file, path NULL being standard input. Scores outside the range,
 * unless that is NULL, count as its nearer end, which moves no two scores further apart. The budget is
 * charged when all candidates have been read and checked. */
PBY_CHECKED
pby_status pby_release_candidates(const pby_budget *budget, pby_release *release, pby_table *table,
                                  const char *path, const pby_score_range *range, pby_rows *rows,
                                  pby_error *err);

#endif
