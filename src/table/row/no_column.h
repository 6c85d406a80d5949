/* SPDX-License-Identifier: MIT */
/* The refusal of a column that the first line of a table does not name.
 *
 * It lists the names that there are, but only where the first line is known to be a header: another name that
 * was asked for stands in it, or all its fields name columns (csv_row.h) and a number stands in the line
 * below. Otherwise it may be a record, of which nothing is told. */
#ifndef PBY_TABLE_ROW_NO_COLUMN_H
#define PBY_TABLE_ROW_NO_COLUMN_H

#include <stdbool.h>
#include <stdint.h>

#include "probity/status.h"

#define PBY_NO_COLUMN           "the name of a column in the first line"
#define PBY_NO_COLUMN_SEMICOLON "the name of a column in the first line, but that has semicolons and no comma"
#define PBY_NO_COLUMN_TAB       "the name of a column in the first line, but that has tabs and no comma"

/* The table lies in first .. end - 1, as far as it is there, and *end is a NUL byte; `known` says that
 * another column was found by its name. */
pby_status pby_refuse_column(pby_error *err, const char *argument, const char *name, const uint8_t *first,
                             const uint8_t *end, bool known);

#endif
