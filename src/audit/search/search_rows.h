/* SPDX-License-Identifier: MIT */
/* Rows of text that a search may make its inputs of: those of a file, and with the constants of a program. */
#ifndef PBY_AUDIT_SEARCH_SEARCH_ROWS_H
#define PBY_AUDIT_SEARCH_SEARCH_ROWS_H

#include "audit/search/search_inputs.h"

/* Tells what `rows:n=N,of=FILE[,constants=PROGRAM]` names: the number of rows, and the two paths, for
 * free(3); *constants is NULL without one. */
PBY_CHECKED
pby_status pby_rows_named(size_t *n, char **file, char **constants, const char *text, pby_error *err);

/* At most n of the lines of a text, each once or more. Each number or text in the source of a program (NULL:
 * none) also stands in the place of each number, or of each text, of the first line. */
PBY_CHECKED
pby_status pby_rows_inputs(pby_inputs **out, size_t n, const char *lines, size_t length, const char *source,
                           size_t source_length, pby_neighbours neighbours, pby_error *err);

#endif
