/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>

#include "base/status.h"
#include "entropy/internal.h"

enum {
    KEY_SIZE = crypto_stream_chacha20_KEYBYTES,
    BLOCK_SIZE = 16384,
    WORDS = (BLOCK_SIZE - KEY_SIZE) / 8,
};

/* All that the stream depends on, in memory that the kernel gives to a child process as zeros
 * (MADV_WIPEONFORK). A child therefore finds live == 0 and takes a key of its own; it could not repeat
 * its parent's words even if it wanted to, since it does not have them. */
typedef struct stream {
    uint64_t live;
    size_t at; /* the first word of the block that has not been read; WORDS when there is none */
    struct {
        uint8_t key[KEY_SIZE]; /* of the next block */
        uint64_t word[WORDS];
    } block;
} stream;

_Static_assert(sizeof(((stream *)0)->block) == BLOCK_SIZE, "the block has no padding");

typedef struct system_source {
    pby_entropy base;
    pby_entropy_getter *getter;
    stream *stream;
} system_source;

static pby_status reseed(system_source *s, pby_error *err)
{
    uint8_t key[KEY_SIZE];
    ssize_t got;
    do
        got = s->getter(key, sizeof key, 0);
    while (got < 0 && errno == EINTR);
    const int reason = errno;
    if (got == (ssize_t)sizeof key) {
        memcpy(s->stream->block.key, key, sizeof key);
        s->stream->at = WORDS;
        s->stream->live = 1;
    }
    sodium_memzero(key, sizeof key);
    if (got < 0)
        return pby_fail_by(err, PBY_FAILED, PBY_REASON_ENTROPY, "no entropy: getrandom: %s",
                           strerror(reason));
    if (got != (ssize_t)sizeof key)
        return pby_fail_by(err, PBY_FAILED, PBY_REASON_ENTROPY,
                           "no entropy: getrandom gave %zd bytes of the %zu asked for", got, sizeof key);
    return PBY_OK;
}

/* Fast key erasure: a block's first bytes are the key of the next, and the key that made the block is
 * overwritten by them. Whoever reads this memory later learns no word that was already handed out. */
static void next_block(stream *s)
{
    static const uint8_t nonce[crypto_stream_chacha20_NONCEBYTES];
    uint8_t key[KEY_SIZE];
    memcpy(key, s->block.key, sizeof key);
    crypto_stream_chacha20((uint8_t *)&s->block, sizeof s->block, nonce, key);
    sodium_memzero(key, sizeof key);
    s->at = 0;
}

static pby_status system_words(pby_entropy *source, uint64_t *words, size_t count, pby_error *err)
{
    system_source *s = (system_source *)source;
    stream *const now = s->stream;
    if (now->live == 0) {
        const pby_status status = reseed(s, err);
        if (status != PBY_OK)
            return status;
    }
    while (count > 0) {
        if (now->at == WORDS)
            next_block(now);
        const size_t here = count < WORDS - now->at ? count : WORDS - now->at;
        memcpy(words, now->block.word + now->at, here * sizeof *words);
        sodium_memzero(now->block.word + now->at, here * sizeof *words);
        now->at += here;
        words += here;
        count -= here;
    }
    return PBY_OK;
}

static void system_free(pby_entropy *source)
{
    system_source *s = (system_source *)source;
    if (s->stream != NULL) {
        sodium_memzero(s->stream, sizeof *s->stream);
        munmap(s->stream, sizeof *s->stream);
    }
    free(s);
}

static const pby_entropy_ops system_ops = {system_words, system_free};

static pby_status map_stream(system_source *s, pby_error *err)
{
    void *memory = mmap(NULL, sizeof(stream), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return pby_no_memory(err);
    s->stream = memory;
    if (madvise(memory, sizeof(stream), MADV_WIPEONFORK) != 0)
        return pby_fail_by(err, PBY_FAILED, PBY_REASON_ENTROPY,
                           "no entropy: the system cannot wipe memory on fork (Linux 4.14 or later can): %s",
                           strerror(errno));
    /* Keeping the key out of swap and of core files is worth having but not needed for the law. */
    (void)mlock(memory, sizeof(stream));
    (void)madvise(memory, sizeof(stream), MADV_DONTDUMP);
    return PBY_OK;
}

pby_status pby_entropy_system_from(pby_entropy **out, pby_entropy_getter *getter, pby_error *err)
{
    *out = NULL;
    pby_status status = pby_entropy_start(err);
    if (status != PBY_OK)
        return status;
    system_source *s = calloc(1, sizeof *s);
    if (s == NULL)
        return pby_no_memory(err);
    s->base.ops = &system_ops;
    s->getter = getter;
    status = map_stream(s, err);
    if (status == PBY_OK)
        status = reseed(s, err);
    if (status != PBY_OK) {
        system_free(&s->base);
        return status;
    }
    *out = &s->base;
    return PBY_OK;
}

pby_status pby_entropy_system(pby_entropy **out, pby_error *err)
{
    return pby_entropy_system_from(out, getrandom, err);
}

pby_status pby_entropy_fresh(uint64_t *words, size_t count, pby_error *err)
{
    pby_entropy *source;
    pby_status status = pby_entropy_system(&source, err);
    if (status == PBY_OK)
        status = pby_entropy_words(source, words, count, err);
    else
        sodium_memzero(words, count * sizeof *words);
    pby_entropy_free(source);
    return status;
}
