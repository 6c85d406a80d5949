/* SPDX-License-Identifier: MIT */
/* The key of several columns: a row of CSV, each field in quotes only where it needs them (key_names.h). */
#ifndef PBY_TABLE_STORE_KEY_ROW_H
#define PBY_TABLE_STORE_KEY_ROW_H

#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"

/* All zero before the first key. */
typedef struct pby_key_row {
    uint8_t *bytes;
    size_t size, room, fields;
} pby_key_row;

/* An empty row in the place of what it held. */
void pby_key_row_begin(pby_key_row *row);

/* One field more, without quotes and escapes. */
PBY_CHECKED
pby_status pby_key_row_add(pby_key_row *row, const uint8_t *field, size_t size, pby_error *err);

/* Wipes and frees. */
void pby_key_row_clear(pby_key_row *row);

#endif
