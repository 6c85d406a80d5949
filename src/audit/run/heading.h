/* SPDX-License-Identifier: MIT */
/* The columns of outputs in CSV: a first line that names them, and those of them that are judged.
 *
 * The first line is a header where each of its fields names a column, as csv_row.h says it, the other side
 * begins with the same line, and a number stands in the line below it on every side. An output of words is
 * so taken for none, unless numbers follow it. What shows a header is the line below it, which is then no
 * longer drawn at random: it may choose events, and judges none.
 */
#ifndef PBY_AUDIT_RUN_HEADING_H
#define PBY_AUDIT_RUN_HEADING_H

#include <stdbool.h>
#include <stddef.h>

#include "probity/status.h"

enum { PBY_HEADING_COLUMNS = 256 };

typedef struct pby_heading {
    bool there;    /* the first line is a header */
    bool asked;    /* columns were chosen, so it must be one */
    size_t width;  /* columns that it names */
    size_t chosen; /* columns that are judged, by their places from 0 on; 0: all of them */
    size_t column[PBY_HEADING_COLUMNS];
    char *name[PBY_HEADING_COLUMNS + 1]; /* of all, up to a NULL */
} pby_heading;

/* One field of a line, as it stands; commas in quotes do not end it. False behind the last. *at is the rest,
 * NULL behind the last. */
bool pby_heading_field(const char **field, size_t *size, const char **at, const char *end);

size_t pby_heading_fields(const char *line, size_t length);

/* True if a line names columns; true if a line has `width` fields and a number among them. */
bool pby_heading_names(const char *line, size_t length);
bool pby_heading_numbers(const char *line, size_t length, size_t width);

/* Reads the header of a file, and the names that are chosen of it, separated by commas; NULL: all. */
PBY_CHECKED
pby_status pby_heading_read(pby_heading *out, const char *line, size_t length, const char *chosen,
                            pby_error *err);
void pby_heading_clear(pby_heading *heading);

/* The chosen fields of a line, with commas between, into `out`, which has room for the whole line; returns
 * their length. False where the line has another number of fields. */
bool pby_heading_choose(char *out, size_t *size, const pby_heading *heading, const char *line, size_t length);

#endif
