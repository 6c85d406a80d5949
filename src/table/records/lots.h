/* SPDX-License-Identifier: MIT */
/* Which records of a user are counted: a uniform choice of so many of them.
 *
 * Every record has an infinite row of words of 64 bits, independent and uniform: word 0, word 1, ... The
 * records of a user are ordered by them, word 0 first and later ones only where the earlier are equal, and
 * the first so many are chosen. Every order is equally likely, and so is every choice; no two records stay
 * equal. What is chosen of one user depends on nobody else (docs/theory/records.md).
 *
 * Word k of record i is word i of the ChaCha20 stream of a key and the nonce k. The key is drawn from the
 * system's entropy and wiped with the lots.
 */
#ifndef PBY_TABLE_RECORDS_LOTS_H
#define PBY_TABLE_RECORDS_LOTS_H

#include <stddef.h>
#include <stdint.h>

#include "probity/experimental/entropy.h"
#include "probity/status.h"

enum { PBY_LOTS_KEY = 32, PBY_LOTS_AHEAD = 1 << 10 };

typedef struct pby_lots {
    uint8_t key[PBY_LOTS_KEY];
    uint64_t ahead[PBY_LOTS_AHEAD]; /* the words 0 of the records from first on */
    uint64_t first;
    uint64_t (*word)(const struct pby_lots *lots, uint64_t record, uint64_t k); /* of a test; else NULL */
} pby_lots;

/* The key is drawn from the source, or from the system where it is NULL. */
PBY_CHECKED
pby_status pby_lots_begin(pby_lots *lots, pby_entropy *source, pby_error *err);
void pby_lots_clear(pby_lots *lots);

/* Word 0 of a record; cheap where records come in their order. */
uint64_t pby_lots_word(pby_lots *lots, uint64_t record);

/* A record of a user, its bar, and the cell of its number where it has one. */
typedef struct pby_lot {
    uint64_t record, word;
    uint32_t bar, cell;
} pby_lot;

/* Brings the chosen ones of n records of one user to the front, and returns how many these are: n, or most
 * where that is less. */
size_t pby_lots_draw(const pby_lots *lots, pby_lot *records, size_t n, uint64_t most);

#endif
