/* SPDX-License-Identifier: MIT */
/* The rows KEY,MASS of a table, as measure.h describes them. */
#ifndef PBY_TABLE_MEASURE_MASSES_H
#define PBY_TABLE_MEASURE_MASSES_H

#include <gmp.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"

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

/* path "-" is standard input. To be cleared whether this succeeds or not. */
PBY_CHECKED
pby_status pby_masses_read(pby_masses *t, const char *path, pby_error *err);
void pby_masses_clear(pby_masses *t);

/* The mass of a row. Refused by line and column. */
PBY_CHECKED
pby_status pby_masses_get(mpq_t out, const pby_masses *t, size_t i, pby_error *err);

#endif
