/* SPDX-License-Identifier: MIT */
/* The lines of an input that is no histogram, read once. */
#ifndef PBY_RELEASE_INPUT_LINES_H
#define PBY_RELEASE_INPUT_LINES_H

#include "release/pipeline.h"
#include "table/row/lines.h"

/* Told of a line, which may be cut. */
typedef pby_status pby_line_taker(void *what, const pby_lines *in, char *line, pby_error *err);

/* Hands every line to take. A first line that names so many columns (csv_row.h) goes to header instead, which
 * may be NULL. */
PBY_CHECKED
pby_status pby_input_lines(const pby_pipeline *p, size_t columns, pby_line_taker *header,
                           pby_line_taker *take, void *what, pby_error *err);

#endif
