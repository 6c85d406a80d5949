/* SPDX-License-Identifier: MIT */
#include "law/flips.h"

#include <sodium.h>
#include <stdlib.h>

#include "base/public.h"
#include "kernel/coins.h"
#include "number/scoped.h"

enum { PLACES = 128, AHEAD = 1 << 10 };

struct pby_flips {
    /* Digit t of either chance, 0 or all ones; `places` of them, behind which both are periodic and go on
     * from the remainders, or both have ended: then what is left of a chance is 0 or 1. */
    uint64_t with[PLACES], without[PLACES];
    size_t places;
    bool ended;
    fmpq_t rest_with, rest_without;

    uint64_t ahead[AHEAD]; /* random words, of which those from `next` on are unused */
    size_t next;
};

/* The next digit of x, which it takes away from it: x = 2 x - digit, from 0 to 1. */
static uint64_t digit_of(fmpq_t x)
{
    fmpq_mul_2exp(x, x, 1);
    if (fmpq_cmp_si(x, 1) < 0)
        return 0;
    fmpq_sub_si(x, x, 1);
    return UINT64_MAX;
}

static bool has_ended(const fmpq_t x)
{
    return fmpq_is_zero(x) || fmpq_is_one(x);
}

pby_status pby_flips_new(pby_flips **out, const fmpq_t with, const fmpq_t without, pby_error *err)
{
    pby_flips *flips = *out = malloc(sizeof *flips);
    if (flips == NULL)
        return pby_no_memory(err);
    fmpq_init(flips->rest_with);
    fmpq_init(flips->rest_without);
    fmpq_set(flips->rest_with, with);
    fmpq_set(flips->rest_without, without);
    flips->places = 0;
    flips->next = AHEAD;
    while (flips->places < PLACES && !(has_ended(flips->rest_with) && has_ended(flips->rest_without))) {
        flips->with[flips->places] = digit_of(flips->rest_with);
        flips->without[flips->places++] = digit_of(flips->rest_without);
    }
    flips->ended = has_ended(flips->rest_with) && has_ended(flips->rest_without);
    return PBY_OK;
}

void pby_flips_free(pby_flips *flips)
{
    if (flips == NULL)
        return;
    fmpq_clear(flips->rest_without);
    fmpq_clear(flips->rest_with);
    sodium_memzero(flips->ahead, sizeof flips->ahead);
    free(flips);
}

/* Lanes of which `open` are undecided, and `ones` decided as ones. */
struct state {
    uint64_t mask, open, ones;
};

static void step(struct state *s, uint64_t with, uint64_t without, uint64_t word)
{
    pby_flip_digit(&s->open, &s->ones, s->mask, with, without, word);
}

/* Decides the coins that are still open behind the last place. */
static pby_status finish(struct state *s, const pby_flips *flips, pby_entropy *source, pby_error *err)
{
    pby_status status = PBY_OK;
    if (flips->ended) {
        const uint64_t with = fmpq_is_one(flips->rest_with) ? UINT64_MAX : 0,
                       without = fmpq_is_one(flips->rest_without) ? UINT64_MAX : 0;
        s->ones |= s->open & ((s->mask & with) | (~s->mask & without));
        return PBY_OK;
    }
    PBY_FMPQ(with, without);
    fmpq_set(with, flips->rest_with);
    fmpq_set(without, flips->rest_without);
    while (s->open != 0 && status == PBY_OK) {
        uint64_t word = 0;
        status = pby_entropy_words(source, &word, 1, err);
        const uint64_t one = digit_of(with), zero = digit_of(without);
        step(s, one, zero, word);
    }
    return status;
}

static pby_status read_ahead(pby_flips *flips, pby_entropy *source, pby_error *err)
{
    const pby_status status = pby_entropy_words(source, flips->ahead, AHEAD, err);
    flips->next = status == PBY_OK ? 0 : AHEAD;
    return status;
}

pby_status pby_flips_draw(pby_flips *flips, pby_entropy *source, const uint64_t *mask, uint64_t *out,
                          size_t n, pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        struct state s = {mask[i], UINT64_MAX, 0};
        for (size_t t = 0; t < flips->places && s.open != 0; t++) {
            if (flips->next == AHEAD) {
                status = read_ahead(flips, source, err);
                if (status != PBY_OK)
                    return status;
            }
            step(&s, flips->with[t], flips->without[t], flips->ahead[flips->next++]);
        }
        status = s.open == 0 ? PBY_OK : finish(&s, flips, source, err);
        out[i] = s.ones;
    }
    return status;
}

pby_status pby_flips_draw_evenly(pby_flips *flips, pby_entropy *source, const uint64_t *mask, uint64_t *out,
                                 size_t n, pby_error *err)
{
    uint64_t words[PLACES];
    pby_status status = PBY_OK;
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        struct state s = {mask[i], UINT64_MAX, 0};
        status = pby_entropy_words(source, words, flips->places, err);
        for (size_t t = 0; t < flips->places && status == PBY_OK; t++)
            step(&s, flips->with[t], flips->without[t], words[t]);
        uint64_t open = s.open;
        PBY_MAKE_PUBLIC(open); /* not 0 with a chance below 2^-120, unless the digits have ended */
        if (status == PBY_OK && (flips->ended || open != 0))
            status = finish(&s, flips, source, err);
        out[i] = s.ones;
    }
    sodium_memzero(words, sizeof words);
    return status;
}
