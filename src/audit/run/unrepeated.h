/* SPDX-License-Identifier: MIT */
/* Columns in which no value occurs twice: the number of a run, a time, an identifier.
 *
 * Such a column tells two files apart whatever the mechanism does. Continuous noise does not repeat itself
 * either, so a column of decimals counts only where it never falls within a file, as times do.
 *
 * Memory is bounded: of many values only those are kept whose hash ends in so many zeros. A value that occurs
 * again has the same hash, so what is kept is looked at in full.
 */
#ifndef PBY_AUDIT_RUN_UNREPEATED_H
#define PBY_AUDIT_RUN_UNREPEATED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"

typedef struct pby_unrepeated pby_unrepeated;

PBY_CHECKED
pby_status pby_unrepeated_new(pby_unrepeated **out, pby_error *err);
void pby_unrepeated_free(pby_unrepeated *of);

/* Looks at the fields of an output of a side, 0 or 1. */
void pby_unrepeated_add(pby_unrepeated *of, int side, const char *line, size_t length);

/* The number of columns that are looked at; true if no value of one of them occurs twice. */
enum { PBY_UNREPEATED_COLUMNS = 16 };
size_t pby_unrepeated_columns(const pby_unrepeated *of);
bool pby_unrepeated_is(const pby_unrepeated *of, size_t column);

#endif
