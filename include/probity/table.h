/* SPDX-License-Identifier: MIT */
/* Tables of keys and counts: what is released, and what a release gives.
 *
 *     pby_table *table;
 *     pby_table_csv(&table, "counts.csv", NULL, err);
 *     bool found;
 *     while (pby_table_next(table, &found, err) == PBY_OK && found)
 *         printf("%s %lld\n", pby_table_key(table, NULL), (long long)pby_table_count(table));
 *     pby_table_free(table);
 *
 * A table is read row by row, as often as is wanted. One that comes from a file stays in that file, however
 * large it is; of a pipe or a callback the bytes are kept as they first come, in memory up to 64 MiB and
 * beyond that in a file without a name in $TMPDIR. So ten million rows take the memory of the keys' digests
 * (16 bytes a slot, 256 MiB) and nothing that grows besides. A file must not change while a table stands for
 * it.
 *
 * Each key is in one row, and is UTF-8 of at most 1048576 bytes without a NUL byte; a count is a whole number
 * from 0 to INT64_MAX. All rows are checked before the first is given. What is wrong is refused by its line
 * and column, and without its text: counts and keys are secrets.
 *
 * pby_release_table gives a table too. Its rows may have no count, an interval or several counts in the place
 * of one (probity/release.h), and its counts may be below 0. It may be read and written, and neither mapped
 * nor released again.
 */
#ifndef PROBITY_TABLE_H
#define PROBITY_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"

PBY_BEGIN_API

typedef struct pby_table pby_table;

/* In the place of a count of which nothing may be published. */
#define PBY_SUPPRESSED INT64_MIN

/* ---- making one ------------------------------------------------------------------------------- */

/* Options for reading CSV; NULL stands for all NULL. */
typedef struct pby_csv_options {
    const char *keys, *counts; /* the columns' names in the first line. Both NULL: the two columns KEY,COUNT,
                                * whose first line may be a header. Of a table of two, one name is enough. A
                                * table of more columns is held in memory, and refused beyond 2^30 bytes */
    const char *name;          /* what an error calls an input that has no path; NULL: "the input" */
} pby_csv_options;

/* CSV as docs/probity-release.1 describes it, from a file; PBY_BAD where it cannot be opened. */
PBY_CHECKED
pby_status pby_table_csv(pby_table **out, const char *path, const pby_csv_options *options, pby_error *err)
    PBY_NONNULL(1, 2);

/* Reads a table from where a descriptor stands. A copy of it is kept: the caller may close its own. */
PBY_CHECKED
pby_status pby_table_csv_descriptor(pby_table **out, int fd, const pby_csv_options *options, pby_error *err)
    PBY_NONNULL(1);

/* Reads a table from a callback, which puts up to size bytes into buffer and says how many in *got; 0 at the
 * end. It is asked as long as the table has not been read to its end once. A status that is not PBY_OK is
 * passed on. */
typedef pby_status pby_table_read(void *what, void *buffer, size_t size, size_t *got, pby_error *err);
PBY_CHECKED
pby_status pby_table_csv_callback(pby_table **out, pby_table_read *read, void *what,
                                  const pby_csv_options *options, pby_error *err) PBY_NONNULL(1, 2);

/* Keys and counts in memory, n of each, which are copied and checked at once. A refusal names the row, from
 * 1; of a key that stands twice, its line as CSV. */
PBY_CHECKED
pby_status pby_table_of(pby_table **out, const char *const *keys, const int64_t *counts, size_t n,
                        pby_error *err) PBY_NONNULL(1);

/* Wipes and frees. */
void pby_table_free(pby_table *table);

/* ---- a public map ----------------------------------------------------------------------------- */

/* Which keys are counted, and under which name. It must not depend on the data. The keys stand in a file, a
 * KEY or KEY,GROUP a line, or in memory; each once. */
typedef struct pby_map {
    const char *path;          /* NULL: in memory */
    bool grouped;              /* of a file: KEY,GROUP */
    const char *const *keys;   /* in memory, count of them */
    const char *const *groups; /* as many; NULL: a filter */
    size_t count;
} pby_map;

/* The table of a public filter or group-by: its rows are those of the map in its order, whether the table has
 * them or not, and keys that the map lacks are left out. One record then changes one count by one, or none
 * (docs/theory/stabilise.md). The table is read to its end here and may be freed before *out. */
PBY_CHECKED
pby_status pby_table_map(pby_table **out, pby_table *table, const pby_map *map, pby_error *err)
    PBY_NONNULL(1, 2, 3);

/* ---- rows ------------------------------------------------------------------------------------- */

/* The next row; *found is false behind the last. The first call, and the first behind pby_table_rewind,
 * checks the whole table. */
PBY_CHECKED
pby_status pby_table_next(pby_table *table, bool *found, pby_error *err) PBY_NONNULL(1, 2);

/* The row's key, which ends in a NUL byte and lives until the next row is asked for; size may be NULL. ""
 * before the first row, and of a release of answers, whose rows have no key. */
PBY_CHECKED
const char *pby_table_key(const pby_table *table, size_t *size) PBY_NONNULL(1);

/* The row's first value, or that of a column: PBY_SUPPRESSED where nothing may be published, where there is
 * no such column, and where there is no row. */
PBY_CHECKED
int64_t pby_table_count(const pby_table *table) PBY_NONNULL(1);
PBY_CHECKED
int64_t pby_table_value(const pby_table *table, size_t column) PBY_NONNULL(1);

/* The number of columns beside the key, and their names: one, "count", but for a release: none of
 * PBY_RELEASE_PRESENT, "low" and "high" of ranges, "count_1", "count_2", ... of several uses. NULL where
 * there is no such column. */
PBY_CHECKED
size_t pby_table_columns(const pby_table *table) PBY_NONNULL(1);
PBY_CHECKED
const char *pby_table_column(const pby_table *table, size_t column) PBY_NONNULL(1);

/* The step of the values, as a rational: "1", but for a release of laplace its grid. */
PBY_CHECKED
const char *pby_table_unit(const pby_table *table) PBY_NONNULL(1);

/* Back before the first row. */
PBY_CHECKED
pby_status pby_table_rewind(pby_table *table, pby_error *err) PBY_NONNULL(1);

/* ---- writing ---------------------------------------------------------------------------------- */

/* CSV: KEY,VALUE,... a line, the key in quotes only where it needs them, behind a header where the table has
 * one. JSON: [{"key": KEY, "count": VALUE, ...}, ...] and a newline. Where nothing may be published a field
 * is empty, and null. */
typedef enum pby_table_format { PBY_FORMAT_CSV, PBY_FORMAT_JSON } pby_table_format;

/* All rows, whole or not at all: until the last is written the file of that name is what it was. */
PBY_CHECKED
pby_status pby_table_write(pby_table *table, const char *path, pby_table_format format, pby_error *err)
    PBY_NONNULL(1, 2);

/* All rows as text, which ends in a NUL byte that *size does not count (size may be NULL); free it with
 * free(3). */
PBY_CHECKED
pby_status pby_table_write_memory(char **text, size_t *size, pby_table *table, pby_table_format format,
                                  pby_error *err) PBY_NONNULL(1, 3);

/* All rows, in pieces of any size. A status that is not PBY_OK is passed on and ends it. Where the table
 * cannot be read to its end, some pieces have gone out: the caller drops them. */
typedef pby_status pby_table_take(void *what, const void *bytes, size_t size, pby_error *err);
PBY_CHECKED
pby_status pby_table_write_callback(pby_table *table, pby_table_take *take, void *what,
                                    pby_table_format format, pby_error *err) PBY_NONNULL(1, 2);

PBY_END_API

#endif
