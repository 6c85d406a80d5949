/* SPDX-License-Identifier: MIT */
/* Two measures in CSV, KEY,MASS, on one set of keys.
 *
 * KEY is a field as csv_row.h has it, empty only in quotes. MASS is a rational (see probity/rational.h) from
 * 0 on, but that a whole number below 0, which noise can make of a count, is taken for 0; it may stand in
 * quotes. The first line is a header if it names both columns (csv_row.h). A UTF-8 byte order mark at the
 * beginning, carriage returns before newlines and a missing newline at the end are allowed. Lines for one key
 * add up.
 *
 * Where the keys of both tables are all numbers, or all points (key_kind.h), they are positions. Otherwise
 * all are names, numbers among them too: 2020 beside a word is a name. A key that is beyond is a name among
 * names, and refused where there is neither a name nor a point. Names are equal if their bytes are, and have
 * no distance; nor have points of different dimension. */
#ifndef PBY_TABLE_MEASURE_MEASURE_H
#define PBY_TABLE_MEASURE_MEASURE_H

#include "probity/experimental/accuracy.h"
#include "table/key/key_kind.h"

typedef struct pby_measures {
    pby_key_kind kind;       /* never PBY_KEY_BEYOND */
    pby_measure *measure[2]; /* at the numbers; of points and names at 0, 1, ..., as they follow in order */
    size_t points;           /* how many different ones; 0 where keys are not points of one dimension, */
    size_t dimension;
    __mpq_struct *at;      /* coordinate k of point i is at + i * dimension + k, */
    __mpq_struct *mass[2]; /* and its masses */
    pby_key_kind beside;   /* of names, what some of the keys are all the same; PBY_KEY_NAME where none is */
    int odd_table; /* the first key that is not what others are, a number or a point, or not of the dimension
                    */
    uint64_t odd_line; /* of the first of all: its table, and its line; 0 where there is none */
} pby_measures;

/* path "-" is standard input. To be cleared whether this succeeds or not. */
PBY_CHECKED
pby_status pby_measures_read(pby_measures *out, const char *const path[2], pby_error *err);
void pby_measures_clear(pby_measures *m);

#endif
