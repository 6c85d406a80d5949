/* SPDX-License-Identifier: MIT */
/* Keys and counts in batches of Arrow's, which are kept and used where they lie, by one owner or several. */
#ifndef PBY_TABLE_ARROW_ARROW_ROWS_H
#define PBY_TABLE_ARROW_ARROW_ROWS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"
#include "table/arrow/arrow_stream.h"

typedef struct pby_arrow_rows {
    atomic_size_t owners;
    pby_arrow_batch *batch;
    size_t batches, room;
    size_t count;     /* of all rows */
    size_t column[2]; /* of the keys and the counts in the stream, from 1 */
} pby_arrow_rows;

/* All batches of a stream, of which the first column that is wanted has the keys and the second the counts.
 */
PBY_CHECKED
pby_status pby_arrow_rows_read(pby_arrow_rows **out, pby_arrow *arrow, pby_error *err);

/* One owner more; and one fewer, the last of which releases the batches. NULL is allowed there. */
pby_arrow_rows *pby_arrow_rows_share(pby_arrow_rows *rows);
void pby_arrow_rows_free(pby_arrow_rows *rows);

/* The key in a row, from 0 on, which may stand in digits. Returns what was expected in its place, or NULL.
 * *last, 0 at first, is the owner's note of the batch that was asked for last. */
const char *pby_arrow_rows_key(const pby_arrow_rows *rows, size_t *last, size_t row, const uint8_t **key,
                               size_t *size, char digits[PBY_ARROW_DIGITS]);

/* The count in a row; false where it is none of an int64_t. */
bool pby_arrow_rows_count(const pby_arrow_rows *rows, size_t *last, size_t row, int64_t *count);

/* The counts of rows from one on, each of which is one. */
void pby_arrow_rows_counts(const pby_arrow_rows *rows, size_t *last, size_t row, int64_t *counts, size_t n);

/* True if the keys of a batch are text of which an array is made by pointing at it: with offsets of 4 bytes
 * that begin at 0, so that nothing but these keys is pointed at. */
bool pby_arrow_rows_plain(const pby_arrow_rows *rows, size_t batch);

#endif
