/* SPDX-License-Identifier: MIT */
/* The interface that all sources of random words share.
 *
 * A source is a struct whose first member is a pby_entropy; its functions take the pby_entropy and
 * cast it back. Everything that is the same for all sources (counting, recording, wiping the output
 * of a failed read) is in entropy.c and is nowhere repeated.
 */
#ifndef PBY_ENTROPY_INTERNAL_H
#define PBY_ENTROPY_INTERNAL_H

#include <stdbool.h>
#include <sys/types.h>

#include "probity/experimental/entropy.h"

typedef struct pby_entropy_ops {
    /* Fills words[0 .. count-1], count > 0, or fails; what it leaves in words when it fails does not
     * matter. */
    pby_status (*words)(pby_entropy *source, uint64_t *words, size_t count, pby_error *err);
    /* Wipes and frees all that the source owns, itself included. */
    void (*free)(pby_entropy *source);
} pby_entropy_ops;

struct pby_entropy {
    const pby_entropy_ops *ops;
    uint64_t used;
    bool recording;
    uint64_t *record;
    size_t recorded;
    size_t room;
};

/* The face of getrandom(2): up to size bytes into buffer, the number given, or -1 with errno. */
typedef ssize_t pby_entropy_getter(void *buffer, size_t size, unsigned flags);

/* pby_entropy_system with another getter in the place of getrandom, so that a test can see what a
 * failing system leads to. */
PBY_CHECKED
pby_status pby_entropy_system_from(pby_entropy **out, pby_entropy_getter *getter, pby_error *err);

/* words[0 .. count-1] from the system's generator: a key that is drawn once. All zeros where it fails. */
PBY_CHECKED
pby_status pby_entropy_fresh(uint64_t *words, size_t count, pby_error *err);

/* words[0 .. blocks*8-1]: the ChaCha20 keystream under a key and a nonce of zeros, from that block on. */
enum { PBY_CHACHA_BLOCK = 64, PBY_CHACHA_WORDS = PBY_CHACHA_BLOCK / 8 };
void pby_entropy_stream(uint64_t *words, size_t blocks, const uint8_t key[PBY_SEED_SIZE], uint64_t block);

/* Starts libsodium, which then picks its fastest ChaCha20 for this machine. */
PBY_CHECKED
pby_status pby_entropy_start(pby_error *err);

#endif
