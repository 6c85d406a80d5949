/* SPDX-License-Identifier: MIT */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "entropy/internal.h"

enum { BLOCKS = 256, WORDS = BLOCKS * PBY_CHACHA_WORDS };

typedef struct seeded {
    pby_entropy base;
    uint8_t key[PBY_SEED_SIZE];
    uint64_t next; /* the ChaCha20 block that follows the buffer */
    size_t at;     /* the first word of the buffer that has not been read; WORDS when there is none */
    uint64_t buffer[WORDS];
} seeded;

static void refill(seeded *s)
{
    pby_entropy_stream(s->buffer, BLOCKS, s->key, s->next);
    s->next += BLOCKS;
    s->at = 0;
}

static pby_status seeded_words(pby_entropy *source, uint64_t *words, size_t count, pby_error *err)
{
    (void)err;
    seeded *s = (seeded *)source;
    while (count > 0) {
        if (s->at == WORDS)
            refill(s);
        const size_t here = count < WORDS - s->at ? count : WORDS - s->at;
        memcpy(words, s->buffer + s->at, here * sizeof *words);
        s->at += here;
        words += here;
        count -= here;
    }
    return PBY_OK;
}

static void seeded_free(pby_entropy *source)
{
    seeded *s = (seeded *)source;
    sodium_memzero(s, sizeof *s);
    free(s);
}

static const pby_entropy_ops seeded_ops = {seeded_words, seeded_free};

pby_status pby_entropy_seeded(pby_entropy **out, const uint8_t seed[PBY_SEED_SIZE], pby_error *err)
{
    *out = NULL;
    if (seed == NULL)
        return pby_refuse(err, "seed", "NULL", "32 bytes");
    const pby_status status = pby_entropy_start(err);
    if (status != PBY_OK)
        return status;
    seeded *s = calloc(1, sizeof *s);
    if (s == NULL)
        return pby_no_memory(err);
    s->base.ops = &seeded_ops;
    memcpy(s->key, seed, sizeof s->key);
    s->at = WORDS;
    *out = &s->base;
    return PBY_OK;
}
