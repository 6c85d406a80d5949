/* SPDX-License-Identifier: MIT */
/* Decides if the keys that several threads see are all different.
 *
 * A key is held as its 64-bit SipHash-2-4 digest under a key drawn afresh for each set, in one of many bins
 * by the digest's first bits: 8 bytes a key. Once all are there, each bin is looked through in a table that
 * fits a cache. Digests that are all different are those of different keys, so "distinct" is certain. "Not
 * distinct" is a guess: two of n different keys have one digest with chance at most n^2 / 2^65, which is one
 * in 300,000 for ten million. Who is told so looks again otherwise (keyset.h), and loses time alone.
 */
#ifndef PBY_TABLE_KEY_DISTINCT_H
#define PBY_TABLE_KEY_DISTINCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"

typedef struct pby_distinct pby_distinct;

/* For about so many keys, which decides the speed alone, and so many threads. */
PBY_CHECKED
pby_status pby_distinct_new(pby_distinct **out, uint64_t keys, unsigned threads, pby_error *err);

/* Adds a key that this thread, from 0, has seen. False: no memory. Threads do not wait for each other. */
bool pby_distinct_add(pby_distinct *set, unsigned thread, const uint8_t *bytes, size_t size);

/* Looks through bins that no other thread has taken, once all keys are there. False: two digests are the
 * same, or there is no memory. The keys are distinct when every thread has said true. */
bool pby_distinct_look(pby_distinct *set);

/* Frees, and wipes the digest key. NULL is allowed. */
void pby_distinct_free(pby_distinct *set);

#endif
