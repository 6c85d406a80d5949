#include "law/sampler.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernel/cell.h"
#include "kernel/draw.h"
#include "kernel/fit.h"
#include "kernel/guide.h"
#include "kernel/lanes.h"
#include "law/invert.h"
#include "law/laws.h"

enum { BLOCK = PBY_SILENT_BLOCK };

static pby_status fill_table(pby_sampler *s, pby_error *err)
{
    s->table[0] = 0;
    const pby_status status = pby_law_cuts(s->table + 1, s->law, s->first, s->cells - 1, err);
    if (status != PBY_OK)
        return status;
    if (!pby_is_table(s->table, s->cells))
        return pby_fail(err, PBY_FAILED, "the cut table is not sorted");
    pby_guide(s->guide, s->table, s->cells);
    for (size_t i = 0; i < s->cells; i++)
        s->half[i] = s->table[i] / PBY_HALF_SPAN * PBY_HALF_SPAN;
    pby_guide(s->half_guide, s->half, s->cells);
    return PBY_OK;
}

/* The cells and their memory. The kernel says whether every cell has a value: the ends of the body are
 * reckoned here without a sign, and so without an overflow of their own. */
static pby_status make_cells(pby_sampler *s, pby_error *err)
{
    const pby_law *law = s->law;
    const uint64_t first = (uint64_t)law->body_lo - !pby_law_bounded_below(law);
    s->first = (int64_t)first;
    s->cells = (size_t)((uint64_t)law->body_hi + !pby_law_bounded_above(law) - first) + 1;
    if (!pby_cells_fit(s->first, s->cells))
        return pby_fail(err, PBY_FAILED, "the values of the cut table leave the range of 64-bit integers");
    s->depth = pby_depth(s->cells);
    s->table = malloc(s->cells * sizeof *s->table);
    s->guide = malloc((PBY_SLOTS + 1) * sizeof *s->guide);
    s->half = malloc(s->cells * sizeof *s->half);
    s->half_guide = malloc((PBY_SLOTS + 1) * sizeof *s->half_guide);
    return s->table == NULL || s->guide == NULL || s->half == NULL || s->half_guide == NULL
               ? pby_no_memory(err)
               : PBY_OK;
}

pby_status pby_sampler_of_law(pby_sampler **out, pby_law *law, pby_error *err)
{
    *out = NULL;
    pby_sampler *s = calloc(1, sizeof *s);
    if (s == NULL) {
        pby_law_free(law);
        return pby_no_memory(err);
    }
    s->law = law;
    s->stream = PBY_STREAM;
    pby_status status = make_cells(s, err);
    if (status == PBY_OK)
        status = fill_table(s, err);
    if (status == PBY_OK && law->class->tail != NULL)
        status = law->class->tail->make(&s->tail, law, err);
    if (status != PBY_OK) {
        pby_sampler_free(s);
        return status;
    }
    *out = s;
    return PBY_OK;
}

void pby_sampler_free(pby_sampler *s)
{
    if (s == NULL)
        return;
    if (s->tail != NULL)
        s->law->class->tail->free(s->tail);
    pby_silent_free(s->silent);
    free(s->half_guide);
    free(s->half);
    free(s->guide);
    free(s->table);
    pby_law_free(s->law);
    free(s);
}

pby_status pby_sampler_stream(pby_sampler *s, unsigned version, pby_error *err)
{
    char value[16];
    snprintf(value, sizeof value, "%u", version);
    if (version < 1 || version > PBY_STREAM)
        return pby_refuse(err, "version", value, "1 or 2");
    s->stream = version;
    return PBY_OK;
}

pby_status pby_sampler_timing_safe(pby_sampler *s, pby_error *err)
{
    return s->silent != NULL ? PBY_OK : pby_silent_new(&s->silent, s->law, err);
}

/* A value whose cell is a tail: drawn by the tail's structure, or by inverting the cdf at the same
 * word. */
static pby_status settle_tail(int64_t *value, pby_sampler *s, uint64_t word, pby_entropy *source,
                              pby_error *err)
{
    const pby_law *law = s->law;
    if (s->tail == NULL)
        return pby_law_invert(value, law, word, source, err);
    int64_t beyond = 0;
    const pby_status status = law->class->tail->draw(&beyond, s->tail, source, err);
    *value = *value < law->body_lo ? law->body_lo - 1 - beyond : law->body_hi + 1 + beyond;
    return status;
}

/* Whether decided words fall in the cell of a tail. */
static bool has_tails(const pby_sampler *s)
{
    const pby_law *law = s->law;
    return s->cells > 1 && ((!pby_law_bounded_below(law) && s->table[1] > 0) ||
                            (!pby_law_bounded_above(law) && s->table[s->cells - 1] < UINT64_MAX));
}

/* Whether a value lies outside the body. A body is far from the ends of int64_t and a value at most one
 * beyond it, so that the differences do not overflow. */
static bool beyond_body(const int64_t *value, size_t n, const pby_law *law)
{
    int64_t sign = 0;
    for (size_t i = 0; i < n; i++)
        sign |= (value[i] - law->body_lo) | (law->body_hi - value[i]);
    return sign < 0;
}

/* Settles one by one the values of words that fell in a tail's cell. */
static pby_status settle_tails(int64_t *value, size_t n, pby_sampler *s, const uint64_t *word,
                               pby_entropy *source, pby_error *err)
{
    const int64_t lo = s->law->body_lo, hi = s->law->body_hi;
    pby_status status = PBY_OK;
    if (!has_tails(s) || !beyond_body(value, n, s->law))
        return PBY_OK;
    for (size_t i = 0; i < n && status == PBY_OK; i++)
        if (value[i] < lo || value[i] > hi)
            status = settle_tail(&value[i], s, word[i], source, err);
    return status;
}

/* The values of words: the kernel draws up to the first undecided word, refinement settles that word, and the
 * kernel goes on behind it. */
static pby_status settle_words(pby_sampler *s, pby_entropy *source, const uint64_t *words, int64_t *noise,
                               size_t count, pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t at = 0; status == PBY_OK && at < count;) {
        const size_t drawn = pby_draw_cells(s->table, s->cells, s->depth, s->guide, words + at, count - at,
                                            s->first, noise + at);
        status = settle_tails(noise + at, drawn, s, words + at, source, err);
        at += drawn;
        if (status == PBY_OK && at < count) {
            status = pby_law_invert(&noise[at], s->law, words[at], source, err);
            at++;
        }
    }
    return status;
}

static pby_status draw_block(pby_sampler *s, pby_entropy *source, int64_t *noise, size_t count,
                             pby_error *err)
{
    uint64_t words[BLOCK];
    pby_status status = pby_entropy_words(source, words, count, err);
    if (status == PBY_OK)
        status = settle_words(s, source, words, noise, count, err);
    sodium_memzero(words, sizeof words);
    return status;
}

/* The value of a word of which the leading digits are known: it lies from begin to before begin + span. The
 * others are drawn now. */
static pby_status settle_rest(pby_sampler *s, pby_entropy *source, uint64_t begin, uint64_t span,
                              int64_t *value, pby_error *err)
{
    uint64_t word;
    pby_status status = pby_entropy_words(source, &word, 1, err);
    if (status == PBY_OK) {
        word = begin + word % span;
        status = settle_words(s, source, &word, value, 1, err);
    }
    sodium_memzero(&word, sizeof word);
    return status;
}

/* Settles one by one the values of halves that fell in a tail's cell, once their other digits are drawn. */
static pby_status settle_halves(pby_sampler *s, pby_entropy *source, const uint64_t *halves, int64_t *noise,
                                size_t count, pby_error *err)
{
    const int64_t lo = s->law->body_lo, hi = s->law->body_hi;
    pby_status status = PBY_OK;
    if (!has_tails(s) || !beyond_body(noise, count, s->law))
        return PBY_OK;
    for (size_t i = 0; i < count && status == PBY_OK; i++)
        if (noise[i] < lo || noise[i] > hi)
            status = settle_rest(s, source, halves[i], PBY_HALF_SPAN, &noise[i], err);
    return status;
}

/* The values of halves, each the word that has its digits and then 0. One that no end in the table begins
 * with decides its draw, whatever follows. */
static pby_status decide_halves(pby_sampler *s, pby_entropy *source, const uint64_t *halves, int64_t *noise,
                                size_t count, pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t at = 0; status == PBY_OK && at < count;) {
        const size_t drawn = pby_draw_cells(s->half, s->cells, s->depth, s->half_guide, halves + at,
                                            count - at, s->first, noise + at);
        status = settle_halves(s, source, halves + at, noise + at, drawn, err);
        at += drawn;
        if (status == PBY_OK && at < count) {
            status = settle_rest(s, source, halves[at], PBY_HALF_SPAN, &noise[at], err);
            at++;
        }
    }
    return status;
}

/* One block, two draws a word. */
static pby_status draw_halves(pby_sampler *s, pby_entropy *source, int64_t *noise, size_t count,
                              pby_error *err)
{
    uint64_t words[BLOCK / 2], halves[BLOCK];
    const size_t pairs = (count + 1) / 2;
    pby_status status = pby_entropy_words(source, words, pairs, err);
    for (size_t i = 0; i < pairs && status == PBY_OK; i++) {
        halves[2 * i] = words[i] / PBY_HALF_SPAN * PBY_HALF_SPAN;
        halves[2 * i + 1] = words[i] * PBY_HALF_SPAN;
    }
    if (status == PBY_OK)
        status = decide_halves(s, source, halves, noise, count, err);
    sodium_memzero(words, sizeof words);
    sodium_memzero(halves, sizeof halves);
    return status;
}

/* Whether every draw is one of two values, so that a lane nearly always decides it. */
static bool is_coin(const pby_sampler *s)
{
    return s->cells == 2 && pby_law_bounded_below(s->law) && pby_law_bounded_above(s->law);
}

/* One block of a coin: four draws a word. */
static pby_status draw_coins(pby_sampler *s, pby_entropy *source, int64_t *noise, size_t count,
                             pby_error *err)
{
    enum { LANES = sizeof(uint64_t) / sizeof(uint16_t) };
    union {
        uint64_t word[BLOCK / LANES];
        uint16_t lane[BLOCK];
    } block;
    pby_status status = pby_entropy_words(source, block.word, (count + LANES - 1) / LANES, err);
    if (status == PBY_OK) {
        const bool decided = pby_draw_lanes(s->table, block.lane, count, noise) == 1;
        for (size_t i = 0; i < count && s->first != 0; i++)
            noise[i] += s->first;
        for (size_t i = 0; i < count && !decided && status == PBY_OK; i++)
            if (block.lane[i] == s->table[1] / PBY_LANE_SPAN)
                status = settle_rest(s, source, block.lane[i] * PBY_LANE_SPAN, PBY_LANE_SPAN, &noise[i], err);
    }
    sodium_memzero(&block, sizeof block);
    return status;
}

static pby_status draw_some(pby_sampler *s, pby_entropy *source, int64_t *noise, size_t n, pby_error *err)
{
    if (s->silent != NULL)
        return pby_silent_block(s->silent, source, noise, n, err);
    if (is_coin(s))
        return draw_coins(s, source, noise, n, err);
    return s->stream == 1 || n == 1 ? draw_block(s, source, noise, n, err)
                                    : draw_halves(s, source, noise, n, err);
}

pby_status pby_draw_many(pby_sampler *s, pby_entropy *source, int64_t *noise, size_t count, pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t at = 0; at < count && status == PBY_OK; at += BLOCK)
        status = draw_some(s, source, noise + at, FLINT_MIN(count - at, (size_t)BLOCK), err);
    if (status != PBY_OK)
        sodium_memzero(noise, count * sizeof *noise);
    return status;
}
