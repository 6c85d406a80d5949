/* SPDX-License-Identifier: MIT */
/* A histogram in CSV: read, checked in full, then written again with other counts.
 *
 *     pby_csv_open(&csv, path, err);
 *     pby_csv_scan(csv, &rows, err);                    every row checked; nothing written yet
 *     while (pby_csv_next_chunk(csv, x, MAX, &n, err) == PBY_OK && n > 0) {
 *         ... y from x ...
 *         pby_csv_write_chunk(csv, spool, y, n, err);   the same rows with the counts y
 *     }
 *
 * csv_row.h says what a row is, and when the first row is a header. A UTF-8 byte order mark at the
 * beginning is allowed, and left out. The header's first name, the order of the rows, and each row's key,
 * quotes and line end come out as they went in, to the byte; the counts' digits change, and the header's
 * second name, which becomes count whatever it was. A count that had leading zeros loses them.
 *
 * Refused with PBY_BAD, naming the line and the field ("column", from 1) but never a key or a count:
 * a row that is not one; a key that stands on an earlier line, whether quoted there or not; an input
 * without a row, unless that is allowed; what a demand forbids. Lines are counted as an editor counts them,
 * and of several errors the first is told.
 *
 * Memory: 16 bytes for each slot of the key set (keyset.h) during the scan, as many again where positions are
 * demanded, and a window of a quarter of a MiB, more only if a row is longer. The window is wiped.
 *
 * A file or memory of PBY_CSV_LARGE bytes or more is scanned by several threads (csv_split.h), unless
 * positions are demanded, and read ahead by them (csv_ahead.h). Then the scan takes 8 bytes a key and some
 * blocks of 128 KiB. Nothing that comes out differs.
 */
#ifndef PBY_TABLE_CSV_CSV_H
#define PBY_TABLE_CSV_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/source.h"
#include "io/spool.h"
#include "probity/status.h"
#include "table/key/key_kind.h"
#include "table/row/csv_row.h"
#include "table/row/layout.h"
#include "table/sort/spread.h"
#include "table/store/entries.h"

typedef struct pby_csv pby_csv;

/* path NULL is standard input. */
PBY_CHECKED
pby_status pby_csv_open(pby_csv **out, const char *path, pby_error *err);

/* The bytes, which an error calls by name, are not copied and must outlive the pby_csv. */
PBY_CHECKED
pby_status pby_csv_open_memory(pby_csv **out, const char *name, const void *bytes, size_t size,
                               pby_error *err);

/* Takes over the input, whether it succeeds or not. */
PBY_CHECKED
pby_status pby_csv_of(pby_csv **out, pby_csv_input *in, pby_error *err);

/* Rows in memory, which are taken over whether this succeeds or not. They are written as CSV has them, a
 * newline behind each. */
PBY_CHECKED
pby_status pby_csv_of_entries(pby_csv **out, pby_entries *entries, pby_error *err);

/* An input without a row is a histogram without bars, and no error. For mechanisms that hide which bars there
 * are: a refusal would tell that there is none. */
void pby_csv_allow_empty(pby_csv *csv);

/* Counts of rows in memory may be below 0, and are not added up: for scores. */
void pby_csv_allow_negative(pby_csv *csv);

/* Conditions on rows beyond their form, set by the code that will read them, so that nothing is left to
 * refuse once they are scanned. */
typedef struct pby_csv_demand {
    int64_t most;         /* of a count */
    int64_t limit;        /* a count above it is taken for it when they are added up */
    uint64_t sum;         /* of all counts */
    bool positions;       /* where every key is a number, no two are the same, as 1 and 1.0; none is beyond
                             (key_kind.h) */
    const char *reserved; /* a key that no row may have; NULL: none */
} pby_csv_demand;

/* Without one: any count, any sum, any keys. */
void pby_csv_demands(pby_csv *csv, const pby_csv_demand *demand);

/* The scan is to learn how the keys differ: for what sorts them. */
void pby_csv_learn_spread(pby_csv *csv);

/* Says, before the scan, how many threads there are, at most PBY_SPLIT_THREADS; how many bytes a block has;
 * and from which size on the input is split. For tests; 0 threads: it is not. */
enum { PBY_CSV_LARGE = 1 << 21 };
void pby_csv_split_by(pby_csv *csv, unsigned threads, uint64_t block, uint64_t least);
/* True if the scan was that of several threads. */
bool pby_csv_is_split(const pby_csv *csv);

/* Checks the whole input and goes back to its beginning. To be called once, and before any chunk. */
PBY_CHECKED
pby_status pby_csv_scan(pby_csv *csv, uint64_t *rows, pby_error *err);

/* The counts of the next rows, at least one and at most max > 0 of them; *n is 0 after the last row. An
 * input that is no longer what was scanned is PBY_FAILED: at the latest when *n would be 0, so output is
 * complete and correct only once that was seen. */
PBY_CHECKED
pby_status pby_csv_next_chunk(pby_csv *csv, int64_t *counts, size_t max, size_t *n, pby_error *err);

/* Back to the first row, once all have been read: the scan holds for as long as the input stays what it was.
 */
void pby_csv_again(pby_csv *csv);

/* As it was when it was opened, wherever its reading stopped: nothing is allowed, demanded or learned, and
 * nothing is scanned. */
PBY_CHECKED
pby_status pby_csv_restart(pby_csv *csv, pby_error *err);

/* The batches whose rows it reads, in their order; NULL where there are none. */
pby_arrow_rows *pby_csv_lent(const pby_csv *csv);

/* Returns the input for a caller that reads it in another way and calls pby_csv_restart before and after.
 * NULL for rows in memory. */
pby_csv_input *pby_csv_source(pby_csv *csv);

/* Writes the rows of the last chunk with counts[0 .. n-1] in the place of theirs; n is that chunk's. Any
 * int64_t can be written. */
PBY_CHECKED
pby_status pby_csv_write_chunk(pby_csv *csv, pby_spool *spool, const int64_t *counts, size_t n,
                               pby_error *err);

/* The sum of all counts as the demand adds them up, once they are scanned; UINT64_MAX when it is beyond that.
 */
uint64_t pby_csv_records(const pby_csv *csv);

/* The kinds of the keys as positions.h defines them, valid after the scan; empty unless positions were
 * demanded. */
const pby_key_kinds *pby_csv_kinds(const pby_csv *csv);

/* The bits in which the keys differ, valid after the scan; empty unless that was to be learned. */
const pby_spread *pby_csv_spread(const pby_csv *csv);

/* The layout by which the rows were read, valid after the scan. */
const pby_layout *pby_csv_layout(const pby_csv *csv);

/* The key of the i-th row of the last chunk, without quotes and escapes. It lives until the next chunk, in
 * the window or in scratch, which has room for PBY_ROW_KEY_MAX bytes. */
const uint8_t *pby_csv_key(const pby_csv *csv, size_t i, uint8_t *scratch, size_t *size);

/* The bytes before the first row of the last chunk; empty unless that chunk is the first. The name lives as
 * long as a key does. */
typedef struct pby_csv_head {
    bool marked;         /* a byte order mark */
    const uint8_t *name; /* what a header calls the keys, without quotes and escapes; NULL: no header */
    size_t size;
} pby_csv_head;
pby_csv_head pby_csv_head_of(const pby_csv *csv, uint8_t *scratch);

/* Wipes and frees. NULL is allowed. */
void pby_csv_free(pby_csv *csv);

#endif
