/* SPDX-License-Identifier: MIT */
#include "law/law_silent.h"

#include <sodium.h>
#include <stdlib.h>

#include "base/public.h"
#include "kernel/cell.h"
#include "kernel/fit.h"
#include "kernel/silent.h"
#include "kernel/silent_halves.h"
#include "law/folded.h"
#include "law/invert.h"
#include "law/law_exponential.h"
#include "law/laws.h"
#include "law/tail.h"
#include "number/scoped.h"

/* In a choice of base: exp(-45) < 2^-64, a word costs about as much as comparing it with so many cuts, and
 * cuts are compared in groups. */
enum { LEVEL = 45, WORD_COST = 32, GROUP = 4, DIGITS_MAX = 8, BASE_MAX = 65 };

enum { SIGNS = 64 }; /* in a word */

/* Draws take half words where that is quicker, and shows no more than whole words do: not for a few draws,
 * nor with a long table. */
enum { HALVES_MIN = 64, HALVES_CUTS = 128 };

/* The most that pby_silent_append may be given. */
static const int64_t widest = INT64_C(1) << 53;

struct place {
    const pby_law *law;
    pby_law *owned; /* the law, unless it is the sampler's own */
    uint64_t *table;
    size_t cells;
    int64_t first;
};

struct pby_silent {
    struct place place[DIGITS_MAX + 1]; /* the leading one first */
    size_t places;
    bool folded;   /* the places make a magnitude, whose sign is a bit of its own */
    int64_t base;  /* of the digits */
    int64_t limit; /* of the leading place */
    bool within;   /* whether all cells are values that digits can be appended to, and digits */
};

static int64_t whole_groups(int64_t cuts)
{
    return (cuts + GROUP - 1) / GROUP * GROUP;
}

void pby_silent_free(pby_silent *silent)
{
    if (silent == NULL)
        return;
    for (size_t i = 0; i < silent->places; i++) {
        free(silent->place[i].table);
        pby_law_free(silent->place[i].owned);
    }
    free(silent);
}

/* Moves an open end of the table outwards until no decided word is beyond it: a cdf below 2^-64, or above
 * 1 - 2^-64. */
static pby_status find_end(int64_t *end, const pby_law *law, bool upper, pby_error *err)
{
    const int64_t step = (law->body_hi - law->body_lo) / 8 + 1;
    pby_status status = PBY_OK;
    bool found = false;
    PBY_FMPZ(cut);
    *end = upper ? law->body_hi : law->body_lo;
    while (status == PBY_OK && !found) {
        status = pby_law_cut(cut, law, upper ? *end : *end - 1, err);
        found = upper ? fmpz_equal_ui(cut, UINT64_MAX) : fmpz_is_zero(cut);
        if (status == PBY_OK && !found)
            *end += upper ? step : -step;
        if (llabs(*end) > PBY_CELLS_MAX)
            status = pby_fail(err, PBY_BAD, "timing-safe: the noise is too wide: expected at most %d values",
                              PBY_CELLS_MAX);
    }
    return status;
}

/* The table of a law from end to end, with a cell for what lies beyond an open one. */
static pby_status make_table(struct place *place, pby_error *err)
{
    const pby_law *law = place->law;
    const bool below = !pby_law_bounded_below(law), above = !pby_law_bounded_above(law);
    int64_t lo = law->lo, hi = law->hi;
    pby_status status = below ? find_end(&lo, law, false, err) : PBY_OK;
    if (status == PBY_OK && above)
        status = find_end(&hi, law, true, err);
    if (status != PBY_OK)
        return status;
    place->first = lo - below;
    if (above) /* room for whole groups of cuts */
        hi += whole_groups(hi + above - place->first) - (hi + above - place->first);
    place->cells = (size_t)(hi + above - place->first) + 1;
    if (!pby_cells_fit(place->first, place->cells))
        return pby_fail(err, PBY_FAILED, "the values of the cut table leave the range of 64-bit integers");
    place->table = malloc(place->cells * sizeof *place->table);
    if (place->table == NULL)
        return pby_no_memory(err);
    place->table[0] = 0;
    status = pby_law_cuts(place->table + 1, law, place->first, place->cells - 1, err);
    if (status == PBY_OK && !pby_is_table(place->table, place->cells))
        status = pby_fail(err, PBY_FAILED, "the cut table is not sorted");
    return status;
}

/* Adds a place with a law of its own, which is taken over. */
static pby_status add_part(pby_silent *silent, pby_law *law, pby_error *err)
{
    struct place *place = &silent->place[silent->places++];
    *place = (struct place){.law = law, .owned = law};
    return make_table(place, err);
}

/* The number of digits and their base that make the fewest words and comparisons. */
static size_t choose_base(int64_t *base, const fmpq_t rate)
{
    size_t digits = 0;
    int64_t least = INT64_MAX;
    PBY_FMPQ(top);
    *base = GROUP + 1;
    for (int64_t b = GROUP + 1; b <= BASE_MAX; b += GROUP) { /* b - 1 cuts, in whole groups */
        fmpq_set(top, rate);
        for (size_t j = 0; j <= DIGITS_MAX; j++) {
            const int64_t length = FLINT_MIN(pby_decay_length(top, LEVEL), INT64_MAX / 4);
            const int64_t cost = WORD_COST + whole_groups(length + 1) + (int64_t)j * (WORD_COST + b - 1);
            if (cost < least) {
                least = cost;
                digits = j;
                *base = b;
            }
            fmpq_mul_ui(top, top, (ulong)b);
        }
    }
    return digits;
}

/* A magnitude up to the limit stays below `widest` when all digits but the last are appended. */
static bool cells_within(const pby_silent *silent)
{
    const struct place *place = silent->place;
    bool within = place[0].first >= 0 && place[0].first + (int64_t)place[0].cells - 1 <= silent->limit;
    for (size_t j = 1; j < silent->places; j++)
        within &= place[j].first == 0 && (int64_t)place[j].cells <= silent->base;
    return within;
}

static pby_status add_digits(pby_silent *silent, const fmpq_t rate, pby_error *err)
{
    const size_t digits = choose_base(&silent->base, rate);
    uint64_t m = 1;
    for (size_t j = 0; j < digits; j++)
        m *= (uint64_t)silent->base;
    silent->limit = widest / (int64_t)m;
    silent->folded = true;
    pby_law *law;
    PBY_FMPQ(scaled);
    pby_status status = pby_law_folded(&law, rate, m, err);
    if (status == PBY_OK)
        status = add_part(silent, law, err);
    for (size_t j = digits; status == PBY_OK && j-- > 0;) {
        m /= (uint64_t)silent->base;
        fmpq_mul_ui(scaled, rate, m);
        status = pby_law_digit(&law, scaled, silent->base, err);
        if (status == PBY_OK)
            status = add_part(silent, law, err);
    }
    silent->within = status == PBY_OK && cells_within(silent);
    return status;
}

pby_status pby_silent_new(pby_silent **out, const pby_law *law, pby_error *err)
{
    *out = NULL;
    pby_silent *silent = calloc(1, sizeof *silent);
    if (silent == NULL)
        return pby_no_memory(err);
    pby_status status;
    if (law->class->tail == &pby_geometric_tail) {
        PBY_FMPQ(rate);
        pby_law_geometric_rate(rate, law);
        status = add_digits(silent, rate, err);
    } else {
        silent->limit = INT64_MAX;
        silent->place[silent->places++] = (struct place){.law = law};
        status = make_table(&silent->place[0], err);
    }
    if (status != PBY_OK)
        pby_silent_free(silent);
    else
        *out = silent;
    return status;
}

/* Settles the words of a block that are cuts. Which they are is asked silently again; only that there is one,
 * and how long its refinement takes, can be seen. */
static pby_status settle(const struct place *place, const uint64_t *word, int64_t *value, size_t n,
                         int64_t limit, pby_entropy *source, pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        int decided = pby_silent_cells(place->table, place->cells, &word[i], 1, place->first, &value[i]);
        PBY_MAKE_PUBLIC(decided);
        if (decided)
            continue;
        status = pby_law_invert(&value[i], place->law, word[i], source, err);
        if (status == PBY_OK && (value[i] > limit || value[i] < -limit))
            status = pby_fail(err, PBY_FAILED, "a draw left the range of 64-bit integers");
    }
    return status;
}

struct halves {
    uint64_t word[PBY_SILENT_BLOCK / 2 + 2]; /* the last two are for what stays open */
    int32_t half[PBY_SILENT_BLOCK], cell[PBY_SILENT_BLOCK], open[PBY_SILENT_BLOCK];
    int32_t at[2];
    int64_t other[2];
};

/* Working memory for drawing a block; it is wiped afterwards. */
struct room {
    struct halves halves;
    int64_t digit[PBY_SILENT_BLOCK];
    bool halved;  /* whether the halves were used */
    bool settled; /* whether a value is not of a cell */
};

static pby_status draw_words(const struct place *place, struct room *room, pby_entropy *source,
                             int64_t *value, size_t n, int64_t limit, pby_error *err)
{
    uint64_t word[PBY_SILENT_BLOCK];
    pby_status status = pby_entropy_words(source, word, n, err);
    if (status == PBY_OK) {
        int decided = pby_silent_cells(place->table, place->cells, word, n, place->first, value);
        PBY_MAKE_PUBLIC(decided);
        room->settled |= !decided;
        if (!decided)
            status = settle(place, word, value, n, limit, source, err);
    }
    sodium_memzero(word, sizeof word);
    return status;
}

/* Settles the two places that get a whole word, where such a word is a cut. */
static pby_status settle_two(const struct place *place, const struct halves *h, const uint64_t *word,
                             int64_t *value, int64_t limit, pby_entropy *source, pby_error *err)
{
    int64_t settled[2];
    const pby_status status = settle(place, word, settled, 2, limit, source, err);
    for (size_t i = 0; i < 2 && status == PBY_OK; i++) {
        int32_t at = h->at[i];
        PBY_MAKE_PUBLIC(at);
        value[at] = settled[i];
    }
    sodium_memzero(settled, sizeof settled);
    return status;
}

/* Settles the open places between the first and the last: a third one can be seen. */
static pby_status settle_more(const struct place *place, const struct halves *h, int64_t *value, size_t n,
                              int64_t limit, pby_entropy *source, pby_error *err)
{
    uint64_t word[2];
    pby_status status = PBY_OK;
    for (int32_t i = 0; (size_t)i < n && status == PBY_OK; i++) {
        int more = (h->open[i] != 0) & (i != h->at[0]) & (i != h->at[1]);
        PBY_MAKE_PUBLIC(more);
        if (!more)
            continue;
        status = pby_entropy_words(source, word, 2, err);
        if (status == PBY_OK) {
            pby_silent_lead(word, h->half, (int32_t)n, (const int32_t[]){i, i});
            status = settle(place, word, &value[i], 1, limit, source, err);
        }
    }
    sodium_memzero(word, sizeof word);
    return status;
}

/* Two draws a word. The first and the last open place get their other digits from a word each, always. */
static pby_status draw_halves(const struct place *place, struct room *room, pby_entropy *source,
                              int64_t *value, size_t n, int64_t limit, pby_error *err)
{
    struct halves *const h = &room->halves;
    const size_t pairs = (n + 1) / 2;
    uint64_t *const last = h->word + pairs;
    pby_status status = pby_entropy_words(source, h->word, pairs + 2, err);
    if (status != PBY_OK)
        return status;
    pby_silent_split(h->half, h->word, pairs);
    pby_silent_halves(place->table, place->cells, h->half, n, h->cell, h->open);
    int few = pby_silent_ends(h->at, h->open, (int32_t)n);
    pby_silent_lead(last, h->half, (int32_t)n, h->at);
    int decided = pby_silent_cells(place->table, place->cells, last, 2, 0, h->other);
    pby_silent_values(value, h->cell, (int32_t)n, (int64_t)place->cells, place->first, h->at, h->other);
    PBY_MAKE_PUBLIC(few);
    PBY_MAKE_PUBLIC(decided);
    room->settled |= !decided || !few;
    if (!decided)
        status = settle_two(place, h, last, value, limit, source, err);
    if (status == PBY_OK && !few)
        status = settle_more(place, h, value, n, limit, source, err);
    return status;
}

static pby_status draw_place(const struct place *place, bool halves, struct room *room, pby_entropy *source,
                             int64_t *value, size_t n, int64_t limit, pby_error *err)
{
    if (!halves || n < HALVES_MIN || place->cells > HALVES_CUTS + 1)
        return draw_words(place, room, source, value, n, limit, err);
    room->halved = true;
    return draw_halves(place, room, source, value, n, limit, err);
}

/* A fair sign for every magnitude. */
static pby_status draw_signs(pby_entropy *source, int64_t *value, size_t n, pby_error *err)
{
    uint64_t bits[PBY_SILENT_BLOCK / SIGNS];
    const pby_status status = pby_entropy_words(source, bits, (n + SIGNS - 1) / SIGNS, err);
    if (status == PBY_OK)
        pby_silent_sign(value, n, bits);
    sodium_memzero(bits, sizeof bits);
    return status;
}

pby_status pby_silent_extend(int64_t *value, const int64_t *digit, size_t n, int64_t base, pby_error *err)
{
    int holds = pby_within(digit, n, 0, base - 1) & pby_within(value, n, 0, widest);
    PBY_MAKE_PUBLIC(holds);
    if (!holds)
        return pby_fail(err, PBY_FAILED, "a draw left the range of its law");
    pby_silent_append(value, digit, n, base);
    return PBY_OK;
}

pby_status pby_silent_block(pby_silent *silent, bool halves, pby_entropy *source, int64_t *value, size_t n,
                            pby_error *err)
{
    struct room room;
    room.halved = room.settled = false;
    pby_status status = draw_place(&silent->place[0], halves, &room, source, value, n, silent->limit, err);
    for (size_t j = 1; j < silent->places && status == PBY_OK; j++) {
        status = draw_place(&silent->place[j], halves, &room, source, room.digit, n, silent->base, err);
        if (status == PBY_OK && silent->within && !room.settled)
            pby_silent_append(value, room.digit, n, silent->base);
        else if (status == PBY_OK)
            status = pby_silent_extend(value, room.digit, n, silent->base, err);
    }
    if (status == PBY_OK && silent->folded)
        status = draw_signs(source, value, n, err);
    if (room.halved)
        sodium_memzero(&room.halves, sizeof room.halves);
    sodium_memzero(room.digit, n * sizeof *room.digit);
    return status;
}
