/* The rows of two tables, and what their keys make of them. */
#ifndef PBY_TABLE_MEASURE_KEYS_H
#define PBY_TABLE_MEASURE_KEYS_H

#include "table/measure.h"

typedef struct pby_masses_row {
    char *key, *mass;
    uint64_t line;
} pby_masses_row;

typedef struct pby_masses {
    const char *path;
    char *text; /* that the rows are pieces of */
    size_t size;
    pby_masses_row *row;
    size_t count, room;
} pby_masses;

/* Refused by line and column. */
PBY_CHECKED
pby_status pby_masses_get(mpq_t out, const pby_masses *t, size_t i, pby_error *err);

PBY_CHECKED
pby_status pby_measures_of(pby_measures *out, const pby_masses table[2], pby_error *err);

#endif
