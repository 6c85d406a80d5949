/* SPDX-License-Identifier: MIT */
/* A public table of chances by which records move: KEY,NEW,CHANCE a line.
 *
 * A record of KEY moves to NEW with that chance, a rational above 0 and at most 1, such as 1/3. The chances
 * of a key add up to 1; its lines need not follow each other. Fields are those of csv_row.h; no line is taken
 * for a header. Refused by line: two lines of one key and one new key, and chances that do not add up. The
 * table must not come from the data. */
#ifndef PBY_TABLE_MAP_TABLE_SCATTER_H
#define PBY_TABLE_MAP_TABLE_SCATTER_H

#include <flint/fmpq.h>
#include <stddef.h>
#include <stdint.h>

#include "io/digest.h"
#include "probity/status.h"
#include "table/key/names.h"

/* The lines of a key k are those from first[k] to before first[k + 1]. */
typedef struct pby_scatter {
    const char *path; /* not its own */
    pby_names *keys;
    pby_names *bars; /* the new keys, in the order in which they first came */
    size_t *first;
    size_t *bar;  /* of each line, */
    fmpq *chance; /* and its chance */
    size_t count; /* of the lines */
    pby_digest digest;
} pby_scatter;

enum { PBY_SCATTER_MAX = 1000000 };

/* option names the table in a refusal; data is the path of the data, NULL for standard input, which the table
 * must not be; "" where there is no such file. */
PBY_CHECKED
pby_status pby_scatter_read(pby_scatter **out, const char *path, const char *option, const char *data,
                            pby_error *err);

/* NULL is allowed. */
void pby_scatter_free(pby_scatter *t);

#endif
