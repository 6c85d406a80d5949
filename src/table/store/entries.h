/* SPDX-License-Identifier: MIT */
/* Rows of a histogram in memory: a key and a count each, and the line on which a refusal finds it.
 *
 * A public map, a caller's arrays and a choice of columns all give such rows; csv.h reads them as it reads a
 * file. A key may be any bytes: the code that adds it has checked it. Or the rows are those of batches of
 * Arrow's, which stay where they are, and are checked as they are read. */
#ifndef PBY_TABLE_STORE_ENTRIES_H
#define PBY_TABLE_STORE_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"
#include "table/arrow/arrow_rows.h"
#include "table/row/layout.h"

typedef struct pby_entry {
    size_t key; /* where it begins in the bytes */
    uint32_t size;
    uint32_t below; /* lines from the row's first to that of its count */
    uint64_t line;
    int64_t count;
} pby_entry;

typedef struct pby_entries {
    char *name;        /* in an error */
    pby_layout layout; /* how they were read */
    bool marked;       /* they stand behind a byte order mark */
    uint8_t *header;   /* what the first column is called; NULL without a header */
    size_t header_size;
    pby_arrow_rows *lent; /* in the place of those below, but for their count, */
    size_t last;          /* and the batch of it that was asked for last */
    pby_entry *entry;
    size_t count, room;
    uint8_t *bytes; /* of all keys */
    size_t size, bytes_room;
    uint64_t next_line;
} pby_entries;

PBY_CHECKED
pby_status pby_entries_new(pby_entries **out, const char *name, pby_error *err);

/* Before the first row. */
PBY_CHECKED
pby_status pby_entries_head(pby_entries *entries, const void *name, size_t size, pby_error *err);

/* A row of a file, by its lines there. */
PBY_CHECKED
pby_status pby_entries_add(pby_entries *entries, const uint8_t *key, size_t size, int64_t count,
                           uint64_t line, uint32_t below, pby_error *err);

/* A row that stands in no file, by the line that it would have in CSV. */
PBY_CHECKED
pby_status pby_entries_append(pby_entries *entries, const uint8_t *key, size_t size, int64_t count,
                              pby_error *err);

/* Rows of batches, which are taken over. */
void pby_entries_lend(pby_entries *entries, pby_arrow_rows *rows);

/* The key of a row that was scanned, which may stand in digits, and the counts of some from one on. */
const uint8_t *pby_entries_key(pby_entries *entries, size_t row, size_t *size, char digits[PBY_ARROW_DIGITS]);
void pby_entries_counts(pby_entries *entries, size_t row, int64_t *counts, size_t n);

/* The refusal of a row's first or second field. */
PBY_CHECKED
pby_status pby_entries_refuse(const pby_entries *entries, uint64_t line, unsigned column,
                              const char *expected, pby_error *err);

/* Wipes and frees. NULL is allowed. */
void pby_entries_free(pby_entries *entries);

#endif
