/* SPDX-License-Identifier: MIT */
/* Keys as they come: what they are together (key_kind.h), and, where every key is a number, the first that is
 * the number of an earlier one, as 1.0 is behind 1. Numbers are kept as a pby_keyset keeps keys. */
#ifndef PBY_TABLE_KEY_POSITIONS_H
#define PBY_TABLE_KEY_POSITIONS_H

#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"
#include "table/key/key_kind.h"

typedef struct pby_positions pby_positions;

PBY_CHECKED
pby_status pby_positions_new(pby_positions **out, pby_error *err);

/* The next key, which holds no NUL byte, and its line, from 1. */
PBY_CHECKED
pby_status pby_positions_add(pby_positions *p, const uint8_t *key, size_t size, uint64_t line,
                             pby_error *err);

/* The kinds of the keys up to the first name, behind which none is looked at: it decides that they stand in
 * no order of numbers. */
const pby_key_kinds *pby_positions_kinds(const pby_positions *p);

/* The line of the first key whose number came before, once all were added; 0 where there is none, or a key
 * was no number. */
PBY_CHECKED
pby_status pby_positions_again(pby_positions *p, uint64_t *line, pby_error *err);

/* Wipes and frees. NULL is allowed. */
void pby_positions_free(pby_positions *p);

#endif
