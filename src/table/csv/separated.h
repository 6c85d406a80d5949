/* SPDX-License-Identifier: MIT */
/* Tables whose fields are separated by something else than commas. */
#ifndef PBY_TABLE_CSV_SEPARATED_H
#define PBY_TABLE_CSV_SEPARATED_H

#include <stddef.h>

#include "probity/status.h"

/* A table in memory with commas in the place of separators: a file without a name, by a path of this process.
 * Its path and name are "" where there is none. */
typedef struct pby_separated {
    int fd;
    char path[64];
    const char *name; /* of what was read */
} pby_separated;

/* Reads a table (NULL: standard input) by a separator: one character, or "tab". A field with a comma in it is
 * put into quotes, unless it has some. */
PBY_CHECKED
pby_status pby_separated_open(pby_separated *out, const char *in, const char *separator, pby_error *err);

/* Calls what was read by its own name in an error. */
void pby_separated_name(const pby_separated *table, pby_error *err);

void pby_separated_close(pby_separated *table);

#endif
