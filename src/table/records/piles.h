/* SPDX-License-Identifier: MIT */
/* Rows of bytes in piles: gathered in any order, read again pile by pile.
 *
 * They are in memory up to so many bytes, and beyond that in a file without a name in $TMPDIR, which goes
 * with the process; the blocks of the disk are not overwritten. What is in memory is wiped.
 */
#ifndef PBY_TABLE_RECORDS_PILES_H
#define PBY_TABLE_RECORDS_PILES_H

#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"

typedef struct pby_piles pby_piles;

/* count > 0 empty piles, and how many bytes of them may lie in memory. */
PBY_CHECKED
pby_status pby_piles_new(pby_piles **out, size_t count, size_t memory, pby_error *err);

/* Two pieces behind all that is on the pile. */
PBY_CHECKED
pby_status pby_piles_add(pby_piles *piles, size_t pile, const void *head, size_t head_size, const void *rest,
                         size_t rest_size, pby_error *err);

/* All of a pile, in the order in which it came, until the next is read; it is then empty. */
PBY_CHECKED
pby_status pby_piles_take(pby_piles *piles, size_t pile, const uint8_t **bytes, size_t *size, pby_error *err);

/* NULL is allowed. */
void pby_piles_free(pby_piles *piles);

#endif
