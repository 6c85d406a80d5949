/* SPDX-License-Identifier: MIT */
/* The rows of a release on their way into a spool, as CSV or as one JSON array; or into a store, as they are.
 *
 *   CSV     NAME,VALUE,...       the name in quotes only where it needs them, a newline after each row
 *   JSON    {"key": NAME, "COLUMN": VALUE, ...}, in an array on one line; a key of several columns is a list
 *
 * Either way a row is made of its name and its values alone, and nothing is kept of it: the spool holds what
 * was written, and memory one row. A name is UTF-8 without a NUL byte (csv_row.h), so every name is a JSON
 * string.
 */
#ifndef PBY_TABLE_STORE_ROWS_H
#define PBY_TABLE_STORE_ROWS_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/spool.h"
#include "table/store/store.h"

typedef struct pby_rows {
    pby_spool *spool; /* of rows that are written, */
    pby_store *store; /* or of rows that are kept */
    bool json;
    bool begun;      /* of JSON: a row stands before the next */
    bool tuples;     /* a name is a row of CSV, the fields of several columns (key_names.h) */
    bool gaps;       /* a value PBY_SUPPRESSED leaves its field empty, and is null in JSON */
    mpq_srcptr unit; /* of the values; NULL: 1. A multiple is an exact decimal or, where there is none, a
                      * fraction, and in JSON a string, unless the unit is an integer */
} pby_rows;

/* Write the brackets of the array before the first row and behind the last; nothing in CSV. */
PBY_CHECKED
pby_status pby_rows_open(pby_rows *rows, pby_error *err);
PBY_CHECKED
pby_status pby_rows_close(pby_rows *rows, pby_error *err);

/* The columns behind the name, up to a NULL. */
extern const char *const pby_columns_count[], *const pby_columns_none[], *const pby_columns_range[];

/* One row, a value for each column; NULL: nothing may be published of it. */
PBY_CHECKED
pby_status pby_rows_add(pby_rows *rows, const uint8_t *name, size_t size, const char *const *columns,
                        const int64_t *values, pby_error *err);

/* Writes the comma that JSON puts between two rows; nothing before the first row, and nothing in CSV. */
PBY_CHECKED
pby_status pby_rows_between(pby_rows *rows, pby_error *err);

/* A name as a field of CSV; room for 2 size + 2 bytes. Returns the end. */
uint8_t *pby_put_name(uint8_t *out, const uint8_t *name, size_t size);

#endif
