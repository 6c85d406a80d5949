/* SPDX-License-Identifier: MIT */
/* The rows of a table, bounded by a release plan and added up in the cells of its quantities (docs/plan.md).
 *
 * In each grouping each user's rows are walked in random order (table/records/lots.h): a row is kept if fewer
 * than C are, fewer than m of its group, and its group is kept already or fewer than k groups are. */
#ifndef PBY_RELEASE_PLAN_ROWS_H
#define PBY_RELEASE_PLAN_ROWS_H

#include <stdint.h>

#include "io/source.h"
#include "plan/plan_quantity.h"
#include "probity/experimental/entropy.h"
#include "table/arrow/arrow_stream.h"

/* The numbers that each quantity is made of, in its own order: group by group, and in a group bucket by
 * bucket or point by point. A quantity whose numbers another one holds has none. Sums are held within
 * 2^61 in size, which is a contraction. */
typedef struct pby_plan_cells {
    size_t count;
    int64_t **cell;
    size_t *cells;
    size_t groupings;
    struct pby_plan_hidden *hidden; /* of each grouping (plan_hidden.h) */
} pby_plan_cells;

/* Reads the table, once. Only the header, the fields of each row and their encoding can be refused. The words
 * of the walk come from the source, or from the system where it is NULL. To be cleared whether this succeeds
 * or not. */
PBY_CHECKED
pby_status pby_plan_rows(pby_plan_cells *out, const pby_release_plan *plan, const pby_plan_quantities *q,
                         pby_csv_input *in, pby_entropy *source, pby_error *err);

/* Reads a stream of Arrow in the way of pby_plan_rows; the stream stays the caller's. */
PBY_CHECKED
pby_status pby_plan_rows_arrow(pby_plan_cells *out, const pby_release_plan *plan,
                               const pby_plan_quantities *q, pby_arrow *arrow, pby_entropy *source,
                               pby_error *err);

/* Puts n other numbers, allocated, in the place of those of a quantity, which are wiped and freed. */
void pby_plan_cells_put(pby_plan_cells *cells, size_t quantity, int64_t *numbers, size_t n);

/* Wipes and frees. */
void pby_plan_cells_clear(pby_plan_cells *cells);

#endif
