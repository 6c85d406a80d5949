/* SPDX-License-Identifier: MIT */
/* The rows of an input, one after the other, through a window that moves on over its bytes.
 *
 *     bytes ... keep ...... at ...... end
 *
 * The bytes before keep have been dealt with and are dropped when the window moves; at is the next row. A NUL
 * byte stands at end, so that a scan needs no test of the bound. The window is as wide as the kept bytes
 * need, and is wiped. */
#ifndef PBY_TABLE_CSV_CSV_READER_H
#define PBY_TABLE_CSV_CSV_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/source.h"
#include "probity/status.h"
#include "table/row/csv_row.h"
#include "table/row/layout.h"

typedef struct pby_reader {
    pby_csv_input *in;
    uint8_t *bytes; /* one more than size */
    size_t size;
    size_t keep, at, end;
    bool last;         /* the input ends at end */
    bool begun;        /* a byte order mark and a header are behind */
    size_t preamble;   /* their size, once begun */
    uint64_t line;     /* of the next row, from 1 */
    pby_layout layout; /* once begun */
} pby_reader;

typedef enum pby_found {
    PBY_FOUND_ROW,
    PBY_FOUND_CUT, /* the window ends within the next row */
    PBY_FOUND_END
} pby_found;

/* Takes over the input, unless it fails. */
PBY_CHECKED
pby_status pby_reader_init(pby_reader *r, pby_csv_input *in, pby_error *err);
void pby_reader_clear(pby_reader *r);

/* Goes back to the beginning, once all has been read. */
void pby_reader_rewind(pby_reader *r);

/* The next row, without stepping over it; a header is stepped over before the first. A row that is none is
 * refused by its place. */
PBY_CHECKED
pby_status pby_reader_look(pby_reader *r, pby_csv_row *row, pby_found *found, pby_error *err);
void pby_reader_step(pby_reader *r, const pby_csv_row *row);

/* Moves keep to the front and reads on behind end; a window that is full from keep on grows first. What
 * pointed into it no longer does. */
PBY_CHECKED
pby_status pby_reader_move(pby_reader *r, pby_error *err);

/* The refusal of a field, by its line and column. */
PBY_CHECKED
pby_status pby_reader_refuse(const pby_reader *r, uint64_t line, unsigned column, const char *expected,
                             pby_error *err);

#endif
