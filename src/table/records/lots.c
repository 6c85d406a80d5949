/* SPDX-License-Identifier: MIT */
#include "table/records/lots.h"

#include <sodium.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_WORDS = 8, BLOCK = 64, NONE_YET = 1 };

_Static_assert(PBY_LOTS_KEY == crypto_stream_chacha20_KEYBYTES, "a key of ChaCha20");
_Static_assert(PBY_LOTS_AHEAD % BLOCK_WORDS == 0, "whole blocks");

static uint64_t little_endian(const uint8_t *bytes)
{
    uint64_t word = 0;
    for (size_t i = 0; i < sizeof word; i++)
        word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

/* Blocks of the stream from one on, under a nonce. */
static void stream(const pby_lots *c, uint8_t *out, size_t size, uint64_t block, uint64_t k)
{
    uint8_t nonce[crypto_stream_chacha20_NONCEBYTES];
    for (size_t i = 0; i < sizeof nonce; i++)
        nonce[i] = (uint8_t)(k >> 8 * i);
    memset(out, 0, size);
    crypto_stream_chacha20_xor_ic(out, out, size, nonce, block, c->key);
}

static uint64_t stream_word(const pby_lots *c, uint64_t record, uint64_t k)
{
    uint8_t bytes[BLOCK];
    stream(c, bytes, sizeof bytes, record / BLOCK_WORDS, k);
    const uint64_t word = little_endian(bytes + 8 * (record % BLOCK_WORDS));
    sodium_memzero(bytes, sizeof bytes);
    return word;
}

pby_status pby_lots_begin(pby_lots *c, pby_entropy *source, pby_error *err)
{
    pby_entropy *own = NULL;
    uint64_t words[PBY_LOTS_KEY / sizeof(uint64_t)];
    *c = (pby_lots){.first = NONE_YET};
    pby_status status = source == NULL ? pby_entropy_system(&own, err) : PBY_OK;
    if (status == PBY_OK)
        status = pby_entropy_words(source == NULL ? own : source, words, sizeof words / sizeof *words, err);
    if (status == PBY_OK)
        memcpy(c->key, words, sizeof words);
    sodium_memzero(words, sizeof words);
    pby_entropy_free(own);
    return status;
}

void pby_lots_clear(pby_lots *lots)
{
    sodium_memzero(lots, sizeof *lots);
}

uint64_t pby_lots_word(pby_lots *lots, uint64_t record)
{
    if (lots->word != NULL)
        return lots->word(lots, record, 0);
    const uint64_t first = record - record % PBY_LOTS_AHEAD;
    if (lots->first != first) {
        uint8_t *bytes = (uint8_t *)lots->ahead;
        stream(lots, bytes, sizeof lots->ahead, first / BLOCK_WORDS, 0);
        for (size_t i = 0; i < PBY_LOTS_AHEAD; i++)
            lots->ahead[i] = little_endian(bytes + 8 * i);
        lots->first = first;
    }
    return lots->ahead[record - first];
}

/* The order of two records; they are the same one only where a sort compares it with itself. */
static int order(const void *one, const void *other, void *lots)
{
    const pby_lot *a = one, *b = other;
    const pby_lots *c = lots;
    uint64_t x = a->word, y = b->word;
    if (a->record == b->record)
        return 0;
    for (uint64_t k = 1; x == y; k++) {
        x = c->word != NULL ? c->word(c, a->record, k) : stream_word(c, a->record, k);
        y = c->word != NULL ? c->word(c, b->record, k) : stream_word(c, b->record, k);
    }
    return x < y ? -1 : 1;
}

size_t pby_lots_draw(const pby_lots *lots, pby_lot *records, size_t n, uint64_t most)
{
    if (n <= most)
        return n;
    qsort_r(records, n, sizeof *records, order, (void *)(uintptr_t)lots);
    return (size_t)most;
}
