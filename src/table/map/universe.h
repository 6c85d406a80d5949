/* SPDX-License-Identifier: MIT */
/* A public table of keys in front of a mechanism: which records are counted, and under which name.
 *
 *   filter   KEY a line: records of these keys are counted under their key
 *   group    KEY,GROUP a line: records of KEY are counted under GROUP
 *
 * Records of any other key are left out. Fields are those of csv_row.h; no line is taken for a header, an
 * empty one is refused ("" is the empty key), and so is a key that stands on two lines.
 *
 * The bars are those of the table, in its order, whether the data have records of them or not: which bars are
 * written, and where, depends on the table alone. One record changes one bar by one or none at all
 * (docs/theory/stabilise.md). The table must therefore not come from the data, and is refused if it is the
 * very file that holds them.
 */
#ifndef PBY_TABLE_MAP_UNIVERSE_H
#define PBY_TABLE_MAP_UNIVERSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/digest.h"
#include "probity/status.h"
#include "table/csv/csv.h"
#include "table/key/names.h"

typedef struct pby_universe pby_universe;

/* option names the table's option in a refusal, and must outlive the universe; data is the path of the data,
 * NULL for standard input. */
PBY_CHECKED
pby_status pby_universe_read(pby_universe **out, const char *path, bool grouped, const char *option,
                             const char *data, pby_error *err);

/* Reads a table in which a key is a row of `columns` fields, FIELD,...,FIELD a line and behind them its
 * group; its name is that row, each field in quotes only where it needs them (key_row.h). */
PBY_CHECKED
pby_status pby_universe_read_rows(pby_universe **out, const char *path, bool grouped, size_t columns,
                                  const char *option, const char *data, pby_error *err);

/* Makes a universe of n keys in memory and as many groups; groups NULL: a filter. A duplicate key, and one
 * that is invalid (csv_row.h), is refused by its place, from 1. */
PBY_CHECKED
pby_status pby_universe_of(pby_universe **out, const char *const *keys, const char *const *groups, size_t n,
                           const char *option, pby_error *err);

/* The digest of the bytes that were read of the table. */
const pby_digest *pby_universe_digest(const pby_universe *u);

/* The bars, in their order; and that of a name, PBY_NO_NAME where the table does not have it. */
const pby_names *pby_universe_bars(const pby_universe *u);
size_t pby_universe_bar(const pby_universe *u, const uint8_t *name, size_t size);

/* Counts a histogram, which is just opened, and checked in full here. *bars is the histogram of the bars,
 * which an error calls by name; it stands behind a byte order mark and a header, whose name is key, where the
 * counted one does. */
PBY_CHECKED
pby_status pby_universe_count(pby_csv **bars, const pby_universe *u, pby_csv *csv, const char *name,
                              pby_error *err);

/* Sets *out to the histogram followed by the bars that it lacks, with count 0. */
PBY_CHECKED
pby_status pby_universe_add(pby_csv **out, const pby_universe *u, pby_csv *csv, const char *name,
                            pby_error *err);

/* Which of the csv's last chunk of n rows the table has. */
void pby_universe_marks(bool *has, const pby_universe *u, const pby_csv *csv, size_t n);

/* Wipes and frees. NULL is allowed. */
void pby_universe_free(pby_universe *u);

#endif
