/* SPDX-License-Identifier: MIT */
/* Which of some names are neighbours, in a square table of 0 and 1 (matrix.h).
 *
 * It has a row and a column for each name, in any order, and may have others. Two names are neighbours if
 * either of the two places of the pair says 1; the diagonal says nothing. */
#ifndef PBY_TABLE_MEASURE_NAMED_RELATION_H
#define PBY_TABLE_MEASURE_NAMED_RELATION_H

#include <stdbool.h>

#include "probity/status.h"
#include "table/key/names.h"

/* For n names n * n answers, which the caller frees; NULL unless it succeeds. Refusals name the argument, and
 * call a name `what`. */
PBY_CHECKED
pby_status pby_relation_read(bool **out, const pby_names *names, const char *what, const char *argument,
                             const char *path, pby_error *err);

#endif
