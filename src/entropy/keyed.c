/* SPDX-License-Identifier: MIT */
#include "entropy/keyed.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "entropy/internal.h"

/* A bar takes a word or a few. */
enum { WORDS = PBY_CHACHA_WORDS };

typedef struct keyed {
    pby_entropy base;
    uint8_t key[PBY_SEED_SIZE];
    bool named;
    uint8_t stream[PBY_SEED_SIZE]; /* the key of the name's stream */
    uint64_t next;                 /* the ChaCha20 block that follows the buffer */
    size_t at;                     /* the first word of the buffer that has not been read */
    uint64_t buffer[WORDS];
} keyed;

static void refill(keyed *s)
{
    pby_entropy_stream(s->buffer, 1, s->stream, s->next++);
    s->at = 0;
}

static pby_status keyed_words(pby_entropy *source, uint64_t *words, size_t count, pby_error *err)
{
    keyed *s = (keyed *)source;
    if (!s->named)
        return pby_fail_by(err, PBY_FAILED, PBY_REASON_ENTROPY, "no entropy: a keyed source without a name");
    for (size_t i = 0; i < count; i++) {
        if (s->at == WORDS)
            refill(s);
        words[i] = s->buffer[s->at++];
    }
    return PBY_OK;
}

static void keyed_free(pby_entropy *source)
{
    keyed *s = (keyed *)source;
    sodium_memzero(s, sizeof *s);
    free(s);
}

static const pby_entropy_ops keyed_ops = {keyed_words, keyed_free};

pby_status pby_entropy_keyed(pby_entropy **out, const uint8_t key[PBY_SEED_SIZE], pby_error *err)
{
    *out = NULL;
    const pby_status status = pby_entropy_start(err);
    if (status != PBY_OK)
        return status;
    keyed *s = calloc(1, sizeof *s);
    if (s == NULL)
        return pby_no_memory(err);
    s->base.ops = &keyed_ops;
    memcpy(s->key, key, sizeof s->key);
    *out = &s->base;
    return PBY_OK;
}

bool pby_entropy_is_keyed(const pby_entropy *source)
{
    return source->ops == &keyed_ops;
}

void pby_entropy_keyed_turn(pby_entropy *source, const uint8_t *label, size_t label_size, const void *name,
                            size_t name_size)
{
    keyed *s = (keyed *)source;
    crypto_generichash_state state;
    crypto_generichash_init(&state, s->key, sizeof s->key, sizeof s->stream);
    crypto_generichash_update(&state, label, label_size);
    if (name_size > 0)
        crypto_generichash_update(&state, name, name_size);
    crypto_generichash_final(&state, s->stream, sizeof s->stream);
    sodium_memzero(&state, sizeof state);
    s->named = true;
    s->next = 0;
    s->at = WORDS;
}
