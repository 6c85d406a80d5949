/* SPDX-License-Identifier: MIT */
/* The library's tables from within: table.c makes them, table_rows.c reads them, table_write.c writes them,
 * and src/release takes what it releases. */
#ifndef PBY_TABLE_TABLE_H
#define PBY_TABLE_TABLE_H

#include "probity/table.h"
#include "table/csv/csv.h"
#include "table/records/records.h"
#include "table/store/store.h"

enum { PBY_TABLE_CHUNK = 1 << 12 };

struct pby_table {
    char *path;           /* of a file, NULL of any other */
    pby_csv *csv;         /* what is read; NULL of a release, and of records before they are counted */
    pby_records *records; /* raw ones; NULL of any other table */
    pby_store *store;     /* a release */
    bool mapped, grouped;
    char *user;             /* of records, and of what a map makes of them */
    uint64_t contributions; /* 0 of any other table */
    char *unit;

    bool scores;       /* the counts may be below 0 */
    bool scanned, row; /* the rows are checked; there is a row */
    int64_t *counts;   /* of a chunk, */
    size_t chunk, at;  /* its rows, and how many are behind */
    uint8_t *scratch;  /* for a key with escapes */
    char *key;         /* of the row */
    size_t key_size, key_room;
    const int64_t *values; /* of the row; NULL where nothing may be published */
    char *header;          /* what the first column is called, once a row was asked for; NULL: no header */
    size_t header_size;
};

/* Checks every row of what is read; it may have none. */
PBY_CHECKED
pby_status pby_table_scan(pby_table *table, pby_error *err);

/* The columns' names, up to a NULL. */
const char *const *pby_table_names(const pby_table *table);

/* Returns the header of the keys, known once a row was asked for; NULL without one. */
const char *pby_table_header(const pby_table *table, size_t *size);

/* Sets *csv to the histogram of the table, restarted and not yet scanned. Afterwards the table's own rows
 * begin anew. A table that was released is refused. */
PBY_CHECKED
pby_status pby_table_histogram(pby_table *table, pby_csv **csv, pby_error *err);

/* The bytes of a table in CSV, from their beginning on, of whatever lines; refused for any other. */
PBY_CHECKED
pby_status pby_table_lines(pby_table *table, pby_csv_input **in, pby_error *err);

/* The number of columns that name a row: a key of several is a row of CSV, and so is the header. It is 1
 * except for records and their releases. */
size_t pby_table_key_columns(const pby_table *table);

/* The digest of the file of a map of records; NULL where there is none. */
const pby_digest *pby_table_map_digest(const pby_table *table);

/* The table of rows in memory, which are taken over whether this succeeds or not. */
PBY_CHECKED
pby_status pby_table_of_entries(pby_table **out, pby_entries *entries, pby_error *err);

/* pby_table_records of an input, which is taken over whether this succeeds or not. It may be NULL where a
 * stream of Arrow's is set behind this, and so may path; names is what refusals call the options. */
PBY_CHECKED
pby_status pby_table_records_of(pby_table **out, pby_csv_input *in, const char *path,
                                const pby_records_options *options, const pby_arguments *names,
                                pby_error *err);

/* True if a public map made the table; true if that map has groups. */
bool pby_table_mapped(const pby_table *table);
bool pby_table_grouped(const pby_table *table);

/* The table of a store, which is taken over whether this succeeds or not. */
PBY_CHECKED
pby_status pby_table_released(pby_table **out, pby_store *store, pby_error *err);

#endif
