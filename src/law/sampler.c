/* SPDX-License-Identifier: MIT */
#include "law/sampler.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernel/cell.h"
#include "kernel/draw.h"
#include "kernel/fit.h"
#include "kernel/guide.h"
#include "kernel/halves.h"
#include "kernel/lanes.h"
#include "kernel/settle.h"
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
    pby_halve(s->half, s->table, s->cells);
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

/* ---- one word ---------------------------------------------------------------------------------- */

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
    return status != PBY_OK || pby_beyond(value, law->body_lo, law->body_hi, beyond)
               ? status
               : pby_fail(err, PBY_FAILED, "a draw left the range of 64-bit integers");
}

static pby_status settle_word(pby_sampler *s, pby_entropy *source, uint64_t word, int64_t *value,
                              pby_error *err)
{
    if (!pby_draw_cells(s->table, s->cells, s->depth, s->guide, &word, 1, s->first, value))
        return pby_law_invert(value, s->law, word, source, err);
    return pby_within(value, 1, s->law->body_lo, s->law->body_hi) ? PBY_OK
                                                                  : settle_tail(value, s, word, source, err);
}

/* The value of a word of which the leading digits are known: it lies from begin to before begin + span. The
 * others are drawn now. */
static pby_status settle_rest(pby_sampler *s, pby_entropy *source, uint64_t begin, uint64_t span,
                              int64_t *value, pby_error *err)
{
    uint64_t word;
    pby_status status = pby_entropy_words(source, &word, 1, err);
    if (status == PBY_OK)
        status = settle_word(s, source, pby_finish(begin, span, word), value, err);
    sodium_memzero(&word, sizeof word);
    return status;
}

/* ---- blocks -------------------------------------------------------------------------------------
 *
 * The kernel draws a block and lists the places that are open; each of them is settled, in order; and the
 * kernel puts what was found in its place. */

struct left {
    uint32_t place[BLOCK];
    int64_t value[BLOCK];
    size_t count;
};

static pby_status put(struct left *left, int64_t *noise, size_t count, pby_status status)
{
    if (left->count == 0)
        return status;
    if (status == PBY_OK)
        pby_put(noise, count, left->place, left->value, left->count);
    sodium_memzero(left->place, left->count * sizeof *left->place);
    sodium_memzero(left->value, left->count * sizeof *left->value);
    return status;
}

/* True if decided words fall in the cell of a tail. */
static bool has_tails(const pby_sampler *s)
{
    const pby_law *law = s->law;
    return s->cells > 1 && ((!pby_law_bounded_below(law) && s->table[1] > 0) ||
                            (!pby_law_bounded_above(law) && s->table[s->cells - 1] < UINT64_MAX));
}

/* Draws from the table, or from that of its halves, and lists what is open. */
static void draw_open(struct left *left, const pby_sampler *s, bool halves, const uint64_t *words,
                      int64_t *noise, size_t count)
{
    const int64_t lo = s->law->body_lo, hi = s->law->body_hi;
    const uint64_t *table = halves ? s->half : s->table;
    const uint32_t *guide = halves ? s->half_guide : s->guide;
    const bool decided = pby_draw_cells(table, s->cells, s->depth, guide, words, count, s->first, noise) == 1;
    left->count = decided && (!has_tails(s) || pby_within(noise, count, lo, hi))
                      ? 0
                      : pby_open(left->place, table, s->cells, words, noise, count, s->first, lo, hi);
}

static pby_status draw_block(pby_sampler *s, pby_entropy *source, int64_t *noise, size_t count,
                             pby_error *err)
{
    uint64_t words[BLOCK];
    struct left left;
    pby_status status = pby_entropy_words(source, words, count, err);
    if (status == PBY_OK) {
        draw_open(&left, s, false, words, noise, count);
        for (size_t j = 0; j < left.count && status == PBY_OK; j++)
            status = settle_word(s, source, words[left.place[j]], &left.value[j], err);
        status = put(&left, noise, count, status);
    }
    sodium_memzero(words, count * sizeof *words);
    return status;
}

/* One block, two draws a word. A half that no end in the table begins with decides its draw, whatever
 * follows. */
static pby_status draw_halves(pby_sampler *s, pby_entropy *source, int64_t *noise, size_t count,
                              pby_error *err)
{
    uint64_t words[BLOCK / 2], halves[BLOCK];
    struct left left;
    const size_t pairs = (count + 1) / 2;
    pby_status status = pby_entropy_words(source, words, pairs, err);
    if (status == PBY_OK) {
        pby_split(halves, words, pairs);
        draw_open(&left, s, true, halves, noise, count);
        for (size_t j = 0; j < left.count && status == PBY_OK; j++)
            status = settle_rest(s, source, halves[left.place[j]], PBY_HALF_SPAN, &left.value[j], err);
        status = put(&left, noise, count, status);
    }
    sodium_memzero(words, pairs * sizeof *words);
    sodium_memzero(halves, 2 * pairs * sizeof *halves);
    return status;
}

/* True if every draw is one of two values, so that a lane nearly always decides it. */
static bool is_coin(const pby_sampler *s)
{
    return s->cells == 2 && pby_law_bounded_below(s->law) && pby_law_bounded_above(s->law);
}

/* One block of a coin: four draws a word. */
static pby_status draw_coins(pby_sampler *s, pby_entropy *source, int64_t *noise, size_t count,
                             pby_error *err)
{
    enum { LANES = sizeof(uint64_t) / sizeof(uint16_t) };
    uint64_t words[BLOCK / LANES];
    uint16_t lane[BLOCK];
    struct left left;
    const size_t taken = (count + LANES - 1) / LANES;
    pby_status status = pby_entropy_words(source, words, taken, err);
    if (status == PBY_OK) {
        pby_lanes(lane, words, taken);
        left.count = pby_draw_lanes(s->table, lane, count, s->first, noise) == 1
                         ? 0
                         : pby_open_lanes(left.place, s->table, lane, count);
        for (size_t j = 0; j < left.count && status == PBY_OK; j++)
            status = settle_rest(s, source, lane[left.place[j]] * PBY_LANE_SPAN, PBY_LANE_SPAN,
                                 &left.value[j], err);
        status = put(&left, noise, count, status);
    }
    sodium_memzero(words, taken * sizeof *words);
    sodium_memzero(lane, LANES * taken * sizeof *lane);
    return status;
}

static pby_status draw_some(pby_sampler *s, pby_entropy *source, int64_t *noise, size_t n, pby_error *err)
{
    if (s->silent != NULL)
        return pby_silent_block(s->silent, s->stream > 1, source, noise, n, err);
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
