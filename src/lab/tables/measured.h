/* SPDX-License-Identifier: MIT */
/* A release of bars and their total, read again: KEY,COUNT in CSV, the total in the last row. It is public.
 */
#ifndef PBY_LAB_TABLES_MEASURED_H
#define PBY_LAB_TABLES_MEASURED_H

#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"

typedef struct pby_measured {
    size_t count; /* of the bars */
    char **key;   /* and the total's behind them */
    char **field; /* the keys as fields of CSV */
    int64_t *bar;
    int64_t total;
    char *header; /* what the first column is called, as a field; NULL without a header */
    size_t room;
} pby_measured;

/* path NULL is standard input. The last row has the key total. To be cleared whether this succeeds or not. */
PBY_CHECKED
pby_status pby_measured_read(pby_measured *out, const char *path, pby_error *err);
void pby_measured_clear(pby_measured *in);

#endif
