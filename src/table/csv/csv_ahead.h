/* SPDX-License-Identifier: MIT */
/* The rows of a histogram that was scanned in blocks (csv_split.h), block after block: threads read ahead of
 * the caller, and the caller reads too where it would have to wait. */
#ifndef PBY_TABLE_CSV_CSV_AHEAD_H
#define PBY_TABLE_CSV_CSV_AHEAD_H

#include "io/source.h"
#include "probity/status.h"
#include "table/csv/csv_block.h"
#include "table/csv/csv_split.h"

typedef struct pby_csv_ahead pby_csv_ahead;

/* The input and what was learned of it must outlive this. */
PBY_CHECKED
pby_status pby_csv_ahead_new(pby_csv_ahead **out, const pby_csv_input *in, const pby_csv_split *split,
                             unsigned threads, pby_error *err);

/* The next block, which lives until the next call; NULL behind the last. *same is false if it is not what was
 * scanned. */
PBY_CHECKED
pby_status pby_csv_ahead_next(pby_csv_ahead *ahead, const pby_csv_block **block, bool *same, pby_error *err);

/* Wipes and frees. NULL is allowed. */
void pby_csv_ahead_free(pby_csv_ahead *ahead);

#endif
