/* SPDX-License-Identifier: MIT */
/* Fields of a table: how one is refused, and quotes around a number. */
#ifndef PBY_TABLE_ROW_FIELD_H
#define PBY_TABLE_ROW_FIELD_H

#include <stdint.h>

#include "probity/status.h"

/* PBY_BAD, by the field's place and without its value. table is a path (NULL, "-": standard input) or a name.
 */
PBY_CHECKED
pby_status pby_field_refuse(const char *table, uint64_t line, unsigned column, const char *expected,
                            pby_error *err);

/* The field without the quotes around it, if there are any: for what is a number, and so has no quote in it.
 * The closing one becomes a NUL byte. */
char *pby_field_unquote(char *field);

#endif
