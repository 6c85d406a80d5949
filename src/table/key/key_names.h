/* SPDX-License-Identifier: MIT */
/* The columns that name a bar together, by the names that a header has for them.
 *
 * They are given as a row of CSV: NAME,NAME,..., a name in quotes where it has a comma or a quote. A bar's
 * key is then such a row too, the fields of its columns, each in quotes only where it needs them (rows.h): so
 * two bars have one key if all their fields are equal. */
#ifndef PBY_TABLE_KEY_KEY_NAMES_H
#define PBY_TABLE_KEY_KEY_NAMES_H

#include <stddef.h>

#include "probity/status.h"
#include "table/row/layout.h"

typedef struct pby_key_names {
    const char *text; /* as they were given; the caller's */
    size_t count;     /* from 1 to PBY_LAYOUT_KEYS */
    char *name[PBY_LAYOUT_KEYS];
} pby_key_names;

/* Refuses, by the name of the argument, a text that is no such row, more names than PBY_LAYOUT_KEYS and a
 * name that stands there twice. To be cleared whether this succeeds or not. */
PBY_CHECKED
pby_status pby_key_names_parse(pby_key_names *out, const char *argument, const char *text, pby_error *err);
void pby_key_names_clear(pby_key_names *names);

#endif
