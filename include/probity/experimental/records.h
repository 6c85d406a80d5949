/* SPDX-License-Identifier: MIT */
/* Tables of counts by group, out of raw records: a row for each record, of which some name a user.
 *
 *     pby_table *table, *out;
 *     pby_records_options shops = {.by = "shop", .user = "customer", .contributions = 3,
 *                                  .map = &(pby_map){.path = "shops.txt"}};
 *     pby_table_records(&table, "records.csv", &shops, err);      nothing is read yet but shops.txt
 *     pby_release_table(&out, permission, table, NULL, err);
 *
 * The first row names the columns. The groups are counted once, when the rows are first asked for: records
 * that the map lacks are left out; then at most so many records of each user are chosen, uniformly and by
 * words that are drawn from the system's entropy; the others are left out in silence. One user more or fewer
 * then moves the counts by at most that number in total, all of it perhaps in one group, and nobody else's
 * records (docs/theory/records.md). pby_release_table therefore refuses a mechanism whose sensitivity is
 * less, and a certificate or a ledger that is about another unit of privacy.
 *
 * The table knows its groups from the public map, or from buckets alone; otherwise they are those that occur,
 * and a mechanism that publishes every key of its input is refused.
 *
 * Memory: 64 MiB of records, and beyond that a file without a name in $TMPDIR; of the users a 256th at a
 * time; and the groups.
 */
#ifndef PROBITY_EXPERIMENTAL_RECORDS_H
#define PROBITY_EXPERIMENTAL_RECORDS_H

#include <stdint.h>

#include "probity/status.h"
#include "probity/table.h"

PBY_BEGIN_API

/* At most so many records of a user may be counted. */
#define PBY_CONTRIBUTIONS_MAX 1000000000

typedef struct pby_records_options {
    const char *by;         /* the columns that name a group, 8 at most, as a row of CSV: NAME,NAME,...; of
                             * NAME:LO:HI:WIDTH, three rationals, the buckets of that width from LO up to HI,
                             * each called by its left end. A number outside is taken for one of the nearest
                             * bucket. A key of several columns is a row of CSV, each field in quotes only
                             * where it needs them */
    const char *user;       /* the column that names the user; NULL: every record is one of its own */
    uint64_t contributions; /* how many records of a user are counted at most; 0 where user is NULL */
    const pby_map *map;     /* the groups that are counted; NULL: all. A line of its file is a key, of several
                             * columns FIELD,FIELD,..., and a group behind it where it is grouped */
    const char *value; /* of sums, means and variances: the column of a number as NAME:LO:HI:STEP, of which
                        * LO and HI are multiples of STEP. A number is taken for the nearest multiple
                        * from LO to HI, halves up. by may then be NULL: all records are one group, "all".
                        * NULL: none, for counts */
    const char *name;  /* what an error calls an input that has no path; NULL: "the input" */
} pby_records_options;

/* Raw records in CSV from a file, from where a descriptor stands, and from a callback, as in
 * probity/table.h. They are read once. */
PBY_CHECKED
pby_status pby_table_records(pby_table **out, const char *path, const pby_records_options *options,
                             pby_error *err) PBY_NONNULL(1, 2, 3);
PBY_CHECKED
pby_status pby_table_records_descriptor(pby_table **out, int fd, const pby_records_options *options,
                                        pby_error *err) PBY_NONNULL(1, 3);
PBY_CHECKED
pby_status pby_table_records_callback(pby_table **out, pby_table_read *read, void *what,
                                      const pby_records_options *options, pby_error *err)
    PBY_NONNULL(1, 2, 4);

/* The unit of privacy of a table of records: the column that names the user, NULL where every record is one
 * of its own; and how many records of a user were counted at most: 1 without a user, 0 of any other table. */
PBY_CHECKED
const char *pby_table_user(const pby_table *table) PBY_NONNULL(1);
PBY_CHECKED
uint64_t pby_table_contributions(const pby_table *table) PBY_NONNULL(1);

PBY_END_API

#endif
