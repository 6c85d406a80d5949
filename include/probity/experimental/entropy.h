/* SPDX-License-Identifier: MIT */
/* Random words: one interface, three sources.
 *
 *   pby_entropy_system   the operating system's generator seeds a ChaCha20 stream. This is the only
 *                        source that a release may use.
 *   pby_entropy_seeded   a ChaCha20 stream from a 32-byte seed: the same words on every machine.
 *   pby_entropy_tape     words recorded earlier, replayed in order; when they have run out the read
 *                        fails and says so.
 *
 * No source ever falls back to another. A read gives all the words asked for or none: on failure
 * the output buffer is wiped, nothing counts as used, and the read may be tried again. A pby_entropy
 * is used by one thread at a time.
 *
 * A constructor that fails sets *out to NULL. PBY_FAILED is the machine's failure (no entropy, no
 * memory, a tape at its end), PBY_BAD a NULL where there must be a buffer.
 */
#ifndef PROBITY_EXPERIMENTAL_ENTROPY_H
#define PROBITY_EXPERIMENTAL_ENTROPY_H

#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"

PBY_BEGIN_API

enum { PBY_SEED_SIZE = 32 };

typedef struct pby_entropy pby_entropy;

/* A key of 32 bytes from getrandom(2), asked for again when a signal interrupts it; an error or a
 * short read is a failure. Each block of the stream begins with the key of the next one, so the key
 * that made a word is gone before the word is handed out, and the word is wiped as it is: memory read
 * later betrays no word used before. The state lies in memory that the kernel wipes in a child
 * process (MADV_WIPEONFORK), so a child takes a key of its own at its first read and never repeats
 * its parent's stream; where the kernel cannot do that the constructor fails. */
PBY_CHECKED
pby_status pby_entropy_system(pby_entropy **out, pby_error *err) PBY_NONNULL(1);

/* Word i, from 0, is the little-endian number in bytes 8i .. 8i+7 of the ChaCha20 keystream (20
 * rounds) under the seed as its key, a nonce of eight zero bytes and a 64-bit block counter from
 * 0. Over the first 256 GiB this is the keystream of RFC 8439 with a zero nonce and counter 0. A child
 * process repeats its parent's words: that is what a seed is for. */
PBY_CHECKED
pby_status pby_entropy_seeded(pby_entropy **out, const uint8_t seed[PBY_SEED_SIZE], pby_error *err)
    PBY_NONNULL(1);

/* The words are copied; the caller's buffer may be wiped at once. A tape of no words is allowed, and
 * then words may be NULL. A read beyond the end fails, says how many words there were, and leaves
 * those that are left to a shorter read. */
PBY_CHECKED
pby_status pby_entropy_tape(pby_entropy **out, const uint64_t *words, size_t count, pby_error *err)
    PBY_NONNULL(1);

/* Fills words[0 .. count-1]. With a count of 0 nothing happens, and words may be NULL. */
PBY_CHECKED
pby_status pby_entropy_words(pby_entropy *source, uint64_t *words, size_t count, pby_error *err)
    PBY_NONNULL(1);

/* Returns the number of words that were read from the source since it was made. */
PBY_CHECKED
uint64_t pby_entropy_used(const pby_entropy *source) PBY_NONNULL(1);

/* Keeps a copy of every word read from now on, so that a run can be replayed as a tape; a second call
 * changes nothing. For tests and for debugging a mechanism: a record of a release is the release's
 * secret. */
PBY_CHECKED
pby_status pby_entropy_record(pby_entropy *source, pby_error *err) PBY_NONNULL(1);

/* The words recorded so far. They belong to the source and go with it; the pointer holds until the
 * next read. */
const uint64_t *pby_entropy_recorded(const pby_entropy *source, size_t *count) PBY_NONNULL(1, 2);

/* Wipes and frees. NULL is allowed. */
void pby_entropy_free(pby_entropy *source);

PBY_END_API

#endif
