/* SPDX-License-Identifier: MIT */
#include <endian.h>
#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/status.h"
#include "entropy/internal.h"

enum { FIRST_ROOM = 256 };

/* A system without entropy is told before libsodium is started, which would abort the process. */
pby_status pby_entropy_start(pby_error *err)
{
    uint8_t byte;
    ssize_t got;
    do
        got = getrandom(&byte, sizeof byte, 0);
    while (got < 0 && errno == EINTR);
    if (got != (ssize_t)sizeof byte)
        return pby_fail_by(err, PBY_FAILED, PBY_REASON_ENTROPY, "no entropy: getrandom: %s", strerror(errno));
    if (sodium_init() < 0)
        return pby_fail_by(err, PBY_FAILED, PBY_REASON_ENTROPY, "no entropy: libsodium could not be started");
    return PBY_OK;
}

/* XOR onto zeros is the keystream itself; of libsodium's calls this one takes the 64-bit counter. */
void pby_entropy_stream(uint64_t *words, size_t blocks, const uint8_t key[PBY_SEED_SIZE], uint64_t block)
{
    static const uint8_t nonce[crypto_stream_chacha20_NONCEBYTES];
    const size_t size = blocks * PBY_CHACHA_BLOCK;
    memset(words, 0, size);
    crypto_stream_chacha20_xor_ic((uint8_t *)words, (const uint8_t *)words, size, nonce, block, key);
    for (size_t i = 0; i < blocks * PBY_CHACHA_WORDS; i++)
        words[i] = le64toh(words[i]);
}

/* Moves the record by hand: realloc would leave a copy of it behind in freed memory. */
static pby_status make_room(pby_entropy *source, size_t count, pby_error *err)
{
    if (count <= source->room - source->recorded)
        return PBY_OK;
    size_t room = source->room > 0 ? source->room : FIRST_ROOM;
    while (room - source->recorded < count) {
        if (room > SIZE_MAX / sizeof(uint64_t) / 2)
            return pby_no_memory(err);
        room *= 2;
    }
    uint64_t *record = malloc(room * sizeof *record);
    if (record == NULL)
        return pby_no_memory(err);
    if (source->recorded > 0) {
        memcpy(record, source->record, source->recorded * sizeof *record);
        sodium_memzero(source->record, source->recorded * sizeof *record);
    }
    free(source->record);
    source->record = record;
    source->room = room;
    return PBY_OK;
}

/* Room is made before the read, so that no word is used up and then lost to the record. */
static pby_status fill_words(pby_entropy *source, uint64_t *words, size_t count, pby_error *err)
{
    if (source->recording) {
        const pby_status room = make_room(source, count, err);
        if (room != PBY_OK)
            return room;
    }
    const pby_status status = source->ops->words(source, words, count, err);
    if (status == PBY_OK && source->recording) {
        memcpy(source->record + source->recorded, words, count * sizeof *words);
        source->recorded += count;
    }
    return status;
}

pby_status pby_entropy_words(pby_entropy *source, uint64_t *words, size_t count, pby_error *err)
{
    if (count == 0)
        return PBY_OK;
    if (words == NULL)
        return pby_refuse(err, "words", "NULL", "a buffer for the words asked for");
    const pby_status status = fill_words(source, words, count, err);
    if (status != PBY_OK) {
        sodium_memzero(words, count * sizeof *words);
        return status;
    }
    source->used += count;
    return PBY_OK;
}

uint64_t pby_entropy_used(const pby_entropy *source)
{
    return source->used;
}

pby_status pby_entropy_record(pby_entropy *source, pby_error *err)
{
    const pby_status status = make_room(source, 1, err);
    if (status == PBY_OK)
        source->recording = true;
    return status;
}

const uint64_t *pby_entropy_recorded(const pby_entropy *source, size_t *count)
{
    *count = source->recorded;
    return source->record;
}

void pby_entropy_free(pby_entropy *source)
{
    if (source == NULL)
        return;
    if (source->record != NULL)
        sodium_memzero(source->record, source->recorded * sizeof *source->record);
    free(source->record);
    source->ops->free(source);
}
