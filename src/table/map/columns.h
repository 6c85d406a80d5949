/* SPDX-License-Identifier: MIT */
/* Some columns of a table with a header, as a histogram: KEY,COUNT.
 *
 * The first row names the columns, in whatever words, and every row has as many. The columns are chosen by
 * these names, each of which stands there once; where one column is left, it is the other one. What the
 * other columns hold is read over and appears nowhere. Fields are those of csv_row.h. Of several columns that
 * name a bar, and of their names, the key is a row of CSV (key_names.h). The table is held in memory, and
 * refused beyond 2^30 bytes.
 *
 * Refused by line and column, and without the value: a row with more columns or fewer, and a count that is
 * none or no multiple of the step.
 */
#ifndef PBY_TABLE_MAP_COLUMNS_H
#define PBY_TABLE_MAP_COLUMNS_H

#include <gmp.h>

#include "probity/status.h"
#include "table/csv/csv.h"
#include "table/key/key_names.h"
#include "table/map/arguments.h"

/* The names of the columns, keys or counts NULL for the columns that are left, and what a refusal calls them.
 */
typedef struct pby_columns_choice {
    const pby_key_names *keys;
    const char *counts;
    const pby_arguments *names;
    mpq_srcptr step;    /* what a count is a multiple of: it becomes how often; NULL: 1 */
    pby_argument count; /* the argument that names its column: the counts or the utility */
} pby_columns_choice;

/* path NULL is standard input. The histogram's layout says which columns they are. */
PBY_CHECKED
pby_status pby_columns_read(pby_csv **out, const char *path, const pby_columns_choice *choice,
                            pby_error *err);

/* Reads a text in memory, which errors call by `name`, as pby_columns_read reads a file. The text is not
 * kept. */
PBY_CHECKED
pby_status pby_columns_parse(pby_csv **out, const char *name, const char *text, size_t size,
                             const pby_columns_choice *choice, pby_error *err);

#endif
