/* SPDX-License-Identifier: MIT */
/* A table read once, a line at a time, with its lines counted as an editor counts them.
 *
 * A UTF-8 byte order mark in front is passed over; a line ends with a newline, with a carriage return and a
 * newline, or with the input. Refused: a line of 262144 bytes or more, and a NUL byte. No copy of the input
 * is kept, and the window is wiped. */
#ifndef PBY_TABLE_ROW_LINES_H
#define PBY_TABLE_ROW_LINES_H

#include <stdint.h>

#include "io/source.h"
#include "probity/status.h"

typedef struct pby_lines pby_lines;

/* path NULL is standard input. */
PBY_CHECKED
pby_status pby_lines_open(pby_lines **out, const char *path, pby_error *err);

/* The lines of an input from its beginning on, which is borrowed. */
PBY_CHECKED
pby_status pby_lines_of(pby_lines **out, pby_csv_input *input, pby_error *err);

/* The next line without its end, which may be changed until the one after it is asked for; NULL after the
 * last. */
PBY_CHECKED
pby_status pby_lines_next(pby_lines *in, char **line, pby_error *err);

/* The number of that line, from 1, and what an error calls the input. */
uint64_t pby_lines_number(const pby_lines *in);
const char *pby_lines_name(const pby_lines *in);

/* NULL is allowed. */
void pby_lines_close(pby_lines *in);

#endif
