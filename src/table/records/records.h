/* SPDX-License-Identifier: MIT */
/* Counts by group of raw records, each user's bounded (probity/experimental/records.h). */
#ifndef PBY_TABLE_RECORDS_RECORDS_H
#define PBY_TABLE_RECORDS_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/observer.h"
#include "io/digest.h"
#include "io/source.h"
#include "probity/experimental/entropy.h"
#include "probity/experimental/records.h"
#include "table/csv/csv.h"
#include "table/map/arguments.h"
#include "table/records/groups.h"
#include "table/records/lots.h"

typedef struct pby_records {
    pby_csv_input *in; /* CSV, */
    pby_arrow *arrow;  /* or a stream of Arrow's */
    char *user;        /* NULL: every record is one of its own */
    uint64_t contributions;
    const pby_arguments *names;
    pby_groups groups;
    char *value;             /* the column of numbers; NULL: none */
    pby_number_cells points; /* its multiples, where there is one */
    int64_t first;           /* the least of them, in steps */
    pby_layout layout;       /* how the records were read, once they are */
    bool tried;              /* they are, or were to be */
    size_t memory;           /* bytes of records in memory, before they go to a file */
    uint64_t (*word)(const pby_lots *lots, uint64_t record,
                     uint64_t k); /* as in pby_lots; NULL but in tests */
    pby_observer observer;        /* told of the bytes that were read */
} pby_records;

/* Takes over the input, whether it succeeds or not; the map is read. data is the path of the data, NULL for
 * standard input. The input may be NULL where a stream is set behind this. */
PBY_CHECKED
pby_status pby_records_new(pby_records **out, pby_csv_input *in, const pby_records_options *options,
                           const char *data, const pby_arguments *names, pby_error *err);

/* Wipes and frees. NULL is allowed. */
void pby_records_free(pby_records *records);

/* The names over the groups, as a row of CSV. */
PBY_CHECKED
pby_status pby_records_head(pby_key_row *head, const pby_records *records, pby_error *err);

/* Sums over the records of each group, in steps from a centre. Sums are held within 2^61 in size. */
typedef struct pby_moments {
    size_t groups;
    int64_t *count, *sum, *square; /* of each group */
} pby_moments;

/* Reads and adds up, once, as pby_records_count does; every group is public. To be cleared whether this
 * succeeds or not. */
PBY_CHECKED
pby_status pby_records_measure(pby_moments *out, pby_records *records, int64_t centre, pby_entropy *source,
                               pby_error *err);
void pby_moments_clear(pby_moments *moments);

/* The number of records of each group at each point: those of group g begin at count[g * points]. */
enum { PBY_TALLY_MAX = 1 << 24 };
typedef struct pby_tally {
    size_t groups, points;
    int64_t *count;
} pby_tally;

/* Reads and counts, once, as pby_records_count does; every group is public, and no more than PBY_TALLY_MAX
 * points are there of all. To be cleared whether this succeeds or not. */
PBY_CHECKED
pby_status pby_records_tally(pby_tally *out, pby_records *records, pby_entropy *source, pby_error *err);
void pby_tally_clear(pby_tally *tally);

/* Reads and counts, once. The words of the choice come from the source, or from the system where it is NULL.
 * The histogram has every public group, and else those of which a record was counted. */
PBY_CHECKED
pby_status pby_records_count(pby_csv **out, pby_records *records, pby_entropy *source, pby_error *err);

#endif
