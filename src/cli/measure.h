/* Two measures in CSV, KEY,MASS, on one set of keys.
 *
 * KEY is a field as csv_row.h has it, empty only in quotes. MASS is a rational (see probity/rational.h) from 0 on, but
 * that a whole number below 0, which noise can make of a count, is taken for 0; it may stand in quotes. The first line
 * is a header if it names both columns (csv_row.h). A UTF-8 byte order mark at the beginning, carriage returns before
 * newlines and a missing newline at the end are allowed. Lines for one key add up.
 *
 * The keys are numbers if all of both tables are. They are points if each is two numbers or more with single spaces
 * between, as many in all: so a release writes the centre of a cube. Otherwise they are names, which are equal if their
 * bytes are, and have no distance. */
#ifndef PBY_CLI_MEASURE_H
#define PBY_CLI_MEASURE_H

#include "probity/accuracy.h"

typedef enum pby_keys { PBY_KEYS_NUMBERS, PBY_KEYS_POINTS, PBY_KEYS_NAMES } pby_keys;

typedef struct pby_measures {
    pby_keys keys;
    pby_measure *measure[2]; /* at the numbers; of points and names at 0, 1, ..., as they follow in order */
    size_t points;           /* how many different ones; 0 where keys are not points, */
    size_t dimension;
    __mpq_struct *at;        /* coordinate k of point i is at + i * dimension + k, */
    __mpq_struct *mass[2];   /* and its masses */
    const char *name_path;   /* where keys are names: the first that is no number */
    uint64_t name_line;
} pby_measures;

/* path "-" is standard input. To be cleared whether this succeeds or not. */
PBY_CHECKED pby_status pby_measures_read(pby_measures *out, const char *const path[2], pby_error *err);
void pby_measures_clear(pby_measures *m);

#endif
