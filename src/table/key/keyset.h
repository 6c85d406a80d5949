/* SPDX-License-Identifier: MIT */
/* The set of keys seen so far, so that a histogram that names a bar twice is refused.
 *
 * A key is held as its 128-bit SipHash-2-4 digest under a key drawn afresh for each set, in an
 * open-addressing table: 16 bytes a slot, at most three quarters of the slots in use, so that ten million
 * keys take 256 MiB (320 MiB for the moment in which the table last grew). Nobody who does not know
 * the digest key can make two keys collide; n different keys are taken for a duplicate with chance at
 * most n^2 / 2^128, which is 2^-81 for ten million.
 *
 * A lookup waits for memory, not for arithmetic. So a key's slot is prefetched and the key looked up a
 * few keys later: pby_keyset_add may report a duplicate some calls after the one that brought it, and
 * pby_keyset_flush reports what is left. Duplicates are reported in the order of their keys, each by
 * the mark that came with it.
 *
 * From 2^17 keys on a thread looks keys up, in batches, while the caller reads on; then only the first
 * duplicate is reported, and what is reported does not depend on who was faster. Without a thread to be had
 * the caller goes on alone.
 */
#ifndef PBY_TABLE_KEY_KEYSET_H
#define PBY_TABLE_KEY_KEYSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"

typedef struct pby_keyset pby_keyset;

PBY_CHECKED
pby_status pby_keyset_new(pby_keyset **out, pby_error *err);

/* Adds a key. *duplicate says whether a key added so far, this one or an earlier one, was in the set
 * before it; if so *mark is the mark_in of that key. */
PBY_CHECKED
pby_status pby_keyset_add(pby_keyset *set, const uint8_t *bytes, size_t size, uint64_t mark_in,
                          bool *duplicate, uint64_t *mark, pby_error *err);

/* Looks up the keys that still wait, up to the first duplicate; reports as pby_keyset_add does. */
PBY_CHECKED
pby_status pby_keyset_flush(pby_keyset *set, bool *duplicate, uint64_t *mark, pby_error *err);

/* Wipes and frees. NULL is allowed. */
void pby_keyset_free(pby_keyset *set);

#endif
