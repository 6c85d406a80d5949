/* SPDX-License-Identifier: MIT */
#include "law/thinning.h"

#include <sodium.h>
#include <stdlib.h>

#include "kernel/thin.h"
#include "number/scoped.h"

enum { WORDS = 1 << 10, BITS = 64 * WORDS, FIRST = 64 /* digits that most bars need */ };

struct pby_thinning {
    int digit[FIRST];      /* of the rate, */
    size_t digits;         /* so many of them, */
    fmpq_t rest;           /* and what they leave of it, from 0 to below 1 */
    uint64_t words[WORDS]; /* random; wiped when they are used */
};

/* The next digit of x, which it takes away from it: x = 2 x - digit, from 0 to below 1. */
static int digit_of(fmpq_t x)
{
    fmpq_mul_2exp(x, x, 1);
    if (fmpq_cmp_si(x, 1) < 0)
        return 0;
    fmpq_sub_si(x, x, 1);
    return 1;
}

pby_status pby_thinning_new(pby_thinning **out, const fmpq_t rate, pby_error *err)
{
    pby_thinning *t = *out = malloc(sizeof *t);
    if (t == NULL)
        return pby_no_memory(err);
    fmpq_init(t->rest);
    fmpq_set(t->rest, rate);
    for (t->digits = 0; t->digits < FIRST && !fmpq_is_zero(t->rest); t->digits++)
        t->digit[t->digits] = digit_of(t->rest);
    return PBY_OK;
}

void pby_thinning_free(pby_thinning *t)
{
    if (t == NULL)
        return;
    fmpq_clear(t->rest);
    sodium_memzero(t->words, sizeof t->words);
    free(t);
}

/* *ones = how many of so many records have a one in their next digit */
static pby_status count_ones(pby_thinning *t, pby_entropy *source, int64_t records, int64_t *ones,
                             pby_error *err)
{
    *ones = 0;
    while (records > 0) {
        const size_t bits = records < BITS ? (size_t)records : BITS;
        const pby_status status = pby_entropy_words(source, t->words, (bits + 63) / 64, err);
        if (status != PBY_OK)
            return status;
        *ones += (int64_t)pby_ones(t->words, bits);
        records -= (int64_t)bits;
    }
    return PBY_OK;
}

/* A record whose digits are those of the chance up to where these end is not below it, and not seen. */
static pby_status thin_one(pby_thinning *t, pby_entropy *source, int64_t count, int64_t *seen, pby_error *err)
{
    int64_t left = count, ones;
    pby_status status = PBY_OK;
    *seen = 0;
    for (size_t i = 0; i < t->digits && left > 0 && status == PBY_OK; i++) {
        status = count_ones(t, source, left, &ones, err);
        if (status == PBY_OK)
            pby_thin(seen, &left, t->digit[i], ones);
    }
    PBY_FMPQ(rest);
    fmpq_set(rest, t->rest);
    while (left > 0 && !fmpq_is_zero(rest) && status == PBY_OK) {
        status = count_ones(t, source, left, &ones, err);
        if (status == PBY_OK)
            pby_thin(seen, &left, digit_of(rest), ones);
    }
    return status;
}

pby_status pby_thinning_draw(pby_thinning *t, pby_entropy *source, const int64_t *counts, int64_t *seen,
                             size_t n, pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        const int64_t count = counts[i];
        status = count <= PBY_THINNED_MAX
                     ? thin_one(t, source, count, &seen[i], err)
                     : pby_fail(err, PBY_BAD,
                                "counts: bar %zu of the chunk is above 2^36: expected at most that, as every "
                                "record is sampled",
                                i);
    }
    sodium_memzero(t->words, sizeof t->words);
    return status;
}
