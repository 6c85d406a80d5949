/* SPDX-License-Identifier: MIT */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "entropy/internal.h"

typedef struct tape {
    pby_entropy base;
    size_t count;
    size_t at;
    uint64_t word[];
} tape;

static pby_status tape_words(pby_entropy *source, uint64_t *words, size_t count, pby_error *err)
{
    tape *t = (tape *)source;
    if (count > t->count - t->at)
        return pby_fail_by(err, PBY_FAILED, PBY_REASON_ENTROPY,
                           "the tape of random words has run out: it held %zu, %zu had been read, and %zu "
                           "more were asked for",
                           t->count, t->at, count);
    memcpy(words, t->word + t->at, count * sizeof *words);
    t->at += count;
    return PBY_OK;
}

static void tape_free(pby_entropy *source)
{
    tape *t = (tape *)source;
    sodium_memzero(t, sizeof *t + t->count * sizeof *t->word);
    free(t);
}

static const pby_entropy_ops tape_ops = {tape_words, tape_free};

pby_status pby_entropy_tape(pby_entropy **out, const uint64_t *words, size_t count, pby_error *err)
{
    *out = NULL;
    if (words == NULL && count > 0)
        return pby_refuse(err, "words", "NULL", "as many words as the count says");
    if (count > (SIZE_MAX - sizeof(tape)) / sizeof(uint64_t))
        return pby_no_memory(err);
    tape *t = calloc(1, sizeof *t + count * sizeof *t->word);
    if (t == NULL)
        return pby_no_memory(err);
    t->base.ops = &tape_ops;
    t->count = count;
    if (count > 0)
        memcpy(t->word, words, count * sizeof *words);
    *out = &t->base;
    return PBY_OK;
}
