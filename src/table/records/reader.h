/* SPDX-License-Identifier: MIT */
/* Raw records: the rows of a table of any width, in CSV or in batches of Arrow's, one after the other.
 *
 * The first row names the columns, and every row has as many. Fields are those of csv_row.h. Some columns are
 * wanted, by their names; what the others hold is read over and appears nowhere. The input is read once, in a
 * window that grows only where a row is longer, and is refused where a row is longer than 2^28 bytes.
 *
 * Refused by line and column, and without the value: a row with more columns or fewer, and a field that is
 * none. A stream of Arrow's has no lines: its rows are numbered from 1 on. A null is an empty field.
 */
#ifndef PBY_TABLE_RECORDS_READER_H
#define PBY_TABLE_RECORDS_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/source.h"
#include "probity/status.h"
#include "table/arrow/arrow_stream.h"
#include "table/row/csv_row.h"

enum { PBY_RAW_WANTED = 12 };

/* A column that is wanted, and what a refusal calls the argument that names it. */
typedef struct pby_raw_wanted {
    const char *argument, *name;
    bool number; /* it is read as one */
} pby_raw_wanted;

typedef struct pby_raw {
    pby_csv_input *in;     /* of CSV, */
    pby_arrow *arrow;      /* or of batches */
    pby_arrow_batch batch; /* of which rows are read, and before `row` were */
    uint64_t row;
    char digits[PBY_RAW_WANTED][PBY_ARROW_DIGITS];
    uint8_t *window; /* behind its last byte stands a NUL byte */
    size_t room, at, end;
    bool last;         /* the input ends with the window */
    uint64_t consumed; /* bytes of rows that were read */
    uint64_t line;     /* of the next row, from 1 */
    unsigned width;
    size_t wanted;
    unsigned column[PBY_RAW_WANTED]; /* of each that is wanted, from 1 */

    pby_csv_row field[PBY_RAW_WANTED]; /* of the row, until the next one is read */
    uint64_t below[PBY_RAW_WANTED];    /* lines from the row's first to that of the field */
    uint64_t row_line;                 /* the row's first */
} pby_raw;

/* Reads the first row. The input is the caller's; it is read from where it stands, and only once. To be
 * cleared whether this succeeds or not. */
PBY_CHECKED
pby_status pby_raw_open(pby_raw *raw, pby_csv_input *in, const pby_raw_wanted *wanted, size_t count,
                        pby_error *err);

/* Opens a stream of Arrow in the way of pby_raw_open; no other column of it may be wanted. */
PBY_CHECKED
pby_status pby_raw_open_arrow(pby_raw *raw, pby_arrow *arrow, const pby_raw_wanted *wanted, size_t count,
                              pby_error *err);

/* The next row; *found is false behind the last. */
PBY_CHECKED
pby_status pby_raw_next(pby_raw *raw, bool *found, pby_error *err);

/* The refusal of a wanted field of the row, by its place. */
PBY_CHECKED
pby_status pby_raw_refuse(const pby_raw *raw, size_t wanted, const char *expected, pby_error *err);

/* Wipes and frees. */
void pby_raw_clear(pby_raw *raw);

#endif
