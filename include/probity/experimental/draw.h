/* SPDX-License-Identifier: MIT */
/* Exact noise, one integer at a time or a million.
 *
 * A sampler holds the integer cut table of a mechanism's noise law. Every draw has exactly that law:
 * a word that the table cannot decide is refined with more words and more precision until it is
 * decided, and a value beyond the table is drawn by the law's own structure.
 *
 * Once made, and made timing-safe where that is wanted, a sampler is read-only: threads may share one, each
 * with an entropy source of its own.
 */
#ifndef PROBITY_EXPERIMENTAL_DRAW_H
#define PROBITY_EXPERIMENTAL_DRAW_H

#include <stddef.h>
#include <stdint.h>

#include "probity/experimental/entropy.h"
#include "probity/spec.h"
#include "probity/status.h"

PBY_BEGIN_API

typedef struct pby_sampler pby_sampler;

/* The sampler of a spec's noise; refused for a spec of several mechanisms, and for one that is known
 * by its guarantee alone. */
PBY_CHECKED
pby_status pby_sampler_new(pby_sampler **out, const pby_spec *spec, pby_error *err) PBY_NONNULL(1, 2);
void pby_sampler_free(pby_sampler *sampler);

/* Makes every later draw of the sampler timing-safe: which instructions run and which memory is read depends
 * on the law and on how many draws there are, not on their values. Only the refinement of an undecided word
 * can be seen, which has a chance of 2^-64 for each cut compared, and what is rarer; docs/timing.md says what
 * else is and is not covered. The draws have the same law, and take other words to it. Refused for a law of
 * more than 2^20 values that has no structure to take apart. */
PBY_CHECKED
pby_status pby_sampler_timing_safe(pby_sampler *sampler, pby_error *err) PBY_NONNULL(1);

/* Which words of a source the draws take, of two versions: 2, the one that a sampler has at first, is half a
 * word each, and a word for one draw alone; 1 is a word each, as in 0.2.0, so that its seeded draws can be
 * had again. The law is the same. Where there are but two values, so are the draws, unless timing-safe. */
enum { PBY_STREAM = 2 };
PBY_CHECKED
pby_status pby_sampler_stream(pby_sampler *sampler, unsigned version, pby_error *err) PBY_NONNULL(1);

/* Draws noise[0 .. count-1]; about half a word each, and when timing-safe half a word for each part of the
 * law, with one more for 64 signs; fewer than 64 draws take whole words then. On failure the buffer is wiped.
 */
PBY_CHECKED
pby_status pby_draw_many(pby_sampler *sampler, pby_entropy *source, int64_t *noise, size_t count,
                         pby_error *err) PBY_NONNULL(1, 2);

/* Long runs of draws on several threads.
 *
 * A run consists of blocks of PBY_BULK_BLOCK draws. In a seeded run each block has a stream of its own, so
 * that what is drawn does not depend on how many threads draw it: block 0 is drawn from pby_entropy_seeded
 * with the seed itself, and block b > 0 with the key that libsodium's crypto_kdf_derive_from_key derives from
 * the seed with the number b and the context "probity" and a zero byte. Without a seed each thread has a
 * source from pby_entropy_system. */
enum { PBY_BULK_BLOCK = 1 << 16, PBY_THREADS_MAX = 256 };

typedef struct pby_bulk pby_bulk;

/* A run on at most `threads` threads, from 1 to PBY_THREADS_MAX, including the caller's; a seed of
 * PBY_SEED_SIZE bytes, or NULL. The sampler must outlive it. */
PBY_CHECKED
pby_status pby_bulk_new(pby_bulk **out, pby_sampler *sampler, const uint8_t *seed, unsigned threads,
                        pby_error *err) PBY_NONNULL(1, 2);

/* The next draws of the run, noise[0 .. count-1]. A call begins a new block: what the call before left of its
 * last block is not drawn. On failure the buffer is wiped. */
PBY_CHECKED
pby_status pby_bulk_draw(pby_bulk *bulk, int64_t *noise, size_t count, pby_error *err) PBY_NONNULL(1);

void pby_bulk_free(pby_bulk *bulk);

PBY_END_API

#endif
