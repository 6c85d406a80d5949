/* SPDX-License-Identifier: MIT */
/* Patterns of the literature [StatDP] and some of our own: a left input, its numbers at one or two levels of
 * their ranges, and a move. */
#include "audit/search/pattern.h"

#include <string.h>

/* ---- left inputs ------------------------------------------------------------------------------- */

/* Levels of a range: a share of it in eighths, and what is added. */
enum { LOW, NEXT, EIGHTH, QUARTER, MIDDLE, FAR, TOP_BUT_ONE, TOP };

static int64_t level_of(const pby_inputs *inputs, size_t i, int level)
{
    static const int eighths[] = {0, 0, 1, 2, 4, 6, 8, 8}, more[] = {0, 1, 0, 0, 0, 0, -1, 0};
    const int64_t from = inputs->from[i], to = inputs->to[i], range = to - from;
    const int64_t value = from + range / 8 * eighths[level] + range % 8 * eighths[level] / 8;
    const int64_t moved = value + more[level];
    return moved < from ? from : moved > to ? to : moved;
}

/* Which numbers are at the second level. */
enum { NONE, LAST, FIRST, SECOND_HALF, EVERY_OTHER, FIRST_HALF_ONE_UP };

static const struct {
    int where, level, other;
    size_t count; /* of records; 0: all */
    bool lasting; /* next to nothing, or to all there can be: with its first move that fits */
} shapes[] = {
    {NONE, MIDDLE, MIDDLE, 0, false},
    {LAST, MIDDLE, FAR, 0, false},
    {FIRST_HALF_ONE_UP, MIDDLE, MIDDLE, 0, false},
    {NONE, LOW, LOW, 0, true},
    {NONE, TOP, TOP, 0, true},
    {NONE, NEXT, NEXT, 0, false},
    {NONE, LOW, LOW, 1, false},
    {NONE, TOP, TOP, 1, false},
    {LAST, LOW, TOP, 0, false},
    {FIRST, LOW, TOP, 0, false},
    {SECOND_HALF, LOW, TOP, 0, false},
    {NONE, EIGHTH, EIGHTH, 0, false},
    {NONE, QUARTER, QUARTER, 0, false},
    {NONE, FAR, FAR, 0, false},
    {LAST, MIDDLE, TOP, 0, false},
    {FIRST, MIDDLE, FAR, 0, false},
    {FIRST, TOP, LOW, 0, false},
    {LAST, TOP, LOW, 0, false},
    {EVERY_OTHER, LOW, TOP, 0, false},
    {NONE, MIDDLE, MIDDLE, 1, false},
    {SECOND_HALF, MIDDLE, FAR, 0, false},
    {NONE, TOP_BUT_ONE, TOP_BUT_ONE, 0, false},
    {LAST, LOW, NEXT, 0, false},
    {LAST, LOW, EIGHTH, 0, false},
    {FIRST_HALF_ONE_UP, LOW, LOW, 0, false},
};

enum { SHAPES = sizeof shapes / sizeof *shapes };

static bool is_other(int where, size_t i, size_t n)
{
    switch (where) {
    case LAST:
        return i + 1 == n;
    case FIRST:
        return i == 0;
    case SECOND_HALF:
        return 2 * i >= n;
    case EVERY_OTHER:
        return i % 2 == 1;
    default:
        return false;
    }
}

static void shape(pby_input_pair *pair, const pby_inputs *inputs, size_t s)
{
    *pair = (pby_input_pair){.count = shapes[s].count > 0 ? shapes[s].count : inputs->count};
    pair->gone = pair->count;
    pair->lasting = shapes[s].lasting;
    for (size_t i = 0; i < pair->count; i++) {
        const bool other = is_other(shapes[s].where, i, pair->count);
        pair->left[i] = level_of(inputs, i, other ? shapes[s].other : shapes[s].level);
        if (shapes[s].where == FIRST_HALF_ONE_UP && 2 * i < pair->count)
            pair->left[i]++;
    }
}

/* ---- moves ------------------------------------------------------------------------------------- */

/* The steps by which the first number, those of the first half, the others and the last number move. */
static const struct {
    const char *name;
    int first, half, rest, last;
} moves_of_all[] = {
    {"all above", 1, 1, 1, 1},
    {"half and half", -1, -1, 1, 1},
    {"one above, rest below", 1, -1, -1, -1},
    {"all above, last below", 1, 1, 1, -1},
    {"one above", 1, 0, 0, 0},
    {"one below, rest above", -1, 1, 1, 1},
    {"one below", -1, 0, 0, 0},
    {"all below", -1, -1, -1, -1},
    {"last above", 0, 0, 0, 1},
    {"all below, last above", -1, -1, -1, 1},
};

enum { MOVES = sizeof moves_of_all / sizeof *moves_of_all };

static void move_all(pby_input_pair *pair, size_t m)
{
    pair->pattern = moves_of_all[m].name;
    for (size_t i = 0; i < pair->count; i++)
        pair->more[i] = i == 0                 ? moves_of_all[m].first
                        : i + 1 == pair->count ? moves_of_all[m].last
                        : 2 * i < pair->count  ? moves_of_all[m].half
                                               : moves_of_all[m].rest;
}

/* The last number, the first, then one in the middle: by 1, left out, or set to the ends of its range. */
static void move_single(pby_input_pair *pair, const pby_inputs *inputs, size_t m)
{
    static const char *const names[] = {"last", "first", "middle"};
    const size_t n = pair->count, places[] = {n - 1, 0, n / 2}, at = places[m % 3],
                 other = at == 0 ? n - 1 : 0;
    const bool second = m / 3 % 2 == 1;
    pair->pattern = names[m % 3];
    switch (inputs->move) {
    case PBY_MOVE_DROP:
        pair->gone = at;
        break;
    case PBY_MOVE_CHANGE:
        pair->more[at] = (second ? inputs->from[at] : inputs->to[at]) - pair->left[at];
        break;
    case PBY_MOVE_SWAP:
        pair->more[other] = second ? 1 : -1;
        pair->more[at] = second ? -1 : 1;
        break;
    default:
        pair->more[at] = second ? -1 : 1;
        break;
    }
}

/* ---- pairs ------------------------------------------------------------------------------------- */

/* True if the pair behind the first `count` ones is one of neighbours, and none of them. */
static bool is_new(const pby_input_pair *pair, size_t count, const pby_inputs *inputs)
{
    if (!pby_input_pair_fits(&pair[count], inputs))
        return false;
    for (size_t i = 0; i < count; i++)
        if (pby_input_pair_same(&pair[i], &pair[count]))
            return false;
    return true;
}

/* Pairs of a shape and a move, those that come early in both lists first. */
static size_t shapes_and_moves(pby_input_pair *pair, size_t most, const pby_inputs *inputs)
{
    size_t count = 0;
    bool lasts[SHAPES] = {false};
    for (size_t sum = 0; sum < SHAPES + MOVES && count < most; sum++)
        for (size_t m = 0; m <= sum && m < MOVES && count < most; m++) {
            if (sum - m >= SHAPES)
                continue;
            pby_input_pair *to = &pair[count];
            shape(to, inputs, sum - m);
            if (inputs->move == PBY_MOVE_ALL)
                move_all(to, m);
            else
                move_single(to, inputs, m);
            const bool fresh = is_new(pair, count, inputs);
            to->lasting = to->lasting && fresh && !lasts[sum - m];
            lasts[sum - m] = lasts[sum - m] || to->lasting;
            count += fresh;
        }
    return count;
}

/* Tries every number of records, for a program may behave differently only at one of them, such as from the
 * fifth on: 2 records and one of them left out, 3, and so on. */
static size_t numbers_of_records(pby_input_pair *pair, size_t count, size_t most, const pby_inputs *inputs)
{
    for (size_t records = 2; records <= inputs->count && count < most; records++) {
        pby_input_pair *to = &pair[count];
        shape(to, inputs, 0);
        to->pattern = "number of records";
        to->count = records;
        to->gone = records - 1;
        count += is_new(pair, count, inputs);
    }
    return count;
}

/* Fills in one pair for each row behind a number of first rows: the last record is that row, and is left out
 * or was the first row. A program may treat one row as no other. */
static size_t each_row(pby_input_pair *pair, size_t count, size_t most, size_t records,
                       const pby_inputs *inputs)
{
    const bool drop = inputs->move == PBY_MOVE_DROP;
    for (size_t r = 0; r < inputs->rows && count < most; r++) {
        pby_input_pair *to = &pair[count];
        *to = (pby_input_pair){.pattern = "one row", .count = records, .gone = drop ? records - 1 : records};
        if (drop)
            to->left[records - 1] = (int64_t)r;
        else
            to->more[records - 1] = (int64_t)r;
        count += is_new(pair, count, inputs);
    }
    return count;
}

/* Fills in pairs of rows; the others take turns with the number of records. */
static size_t patterns_of_rows(pby_input_pair *pair, size_t most, const pby_inputs *inputs)
{
    size_t count = each_row(pair, 0, most / 2, 1, inputs);
    count = each_row(pair, count, most - most / 8, inputs->count, inputs);
    if (inputs->move == PBY_MOVE_DROP)
        count = numbers_of_records(pair, count, most, inputs);
    return count;
}

size_t pby_patterns(pby_input_pair *pair, size_t most, const pby_inputs *inputs)
{
    if (inputs->row != NULL)
        return patterns_of_rows(pair, most, inputs);
    const bool drop = inputs->move == PBY_MOVE_DROP;
    const size_t count = shapes_and_moves(pair, drop ? most - most / 4 : most, inputs);
    return drop ? numbers_of_records(pair, count, most, inputs) : count;
}

/* ---- neighbourhood ----------------------------------------------------------------------------- */

/* SplitMix64: nothing here is secret. */
static uint64_t draw(uint64_t *state, uint64_t below)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) % below;
}

/* A step of 1, 2, 4, ... up to a quarter of the range, up or down. */
static int64_t step(const pby_inputs *inputs, uint64_t *state)
{
    const uint64_t range = (uint64_t)(inputs->to[0] - inputs->from[0]);
    uint64_t octaves = 1;
    while (octaves < 61 && UINT64_C(4) << octaves <= range)
        octaves++;
    const int64_t size = INT64_C(1) << draw(state, octaves);
    return draw(state, 2) == 0 ? size : -size;
}

static int64_t clamp(const pby_inputs *inputs, size_t i, int64_t value)
{
    return value < inputs->from[i] ? inputs->from[i] : value > inputs->to[i] ? inputs->to[i] : value;
}

static void change_left(pby_input_pair *pair, const pby_inputs *inputs, uint64_t *state)
{
    const size_t i = draw(state, pair->count), j = draw(state, pair->count);
    const int64_t by = step(inputs, state);
    const uint64_t way = draw(state, 5);
    if (way == 0)
        pair->left[i] = clamp(inputs, i, pair->left[j]);
    else if (way == 1)
        pair->left[i] = level_of(inputs, i, (int)draw(state, TOP + 1));
    else
        for (size_t k = 0; k < pair->count; k++)
            if (way == 2 || k == i || (way == 3 && (k < i) == (j < i)))
                pair->left[k] = clamp(inputs, k, pair->left[k] + by);
}

static void change_move(pby_input_pair *pair, const pby_inputs *inputs, uint64_t *state)
{
    const size_t i = draw(state, pair->count), j = draw(state, pair->count);
    if (inputs->move == PBY_MOVE_ALL) {
        pair->more[i] = (int64_t)draw(state, 3) - 1;
        return;
    }
    if (inputs->move == PBY_MOVE_DROP) {
        pair->gone = i;
        return;
    }
    memset(pair->more, 0, sizeof pair->more);
    if (inputs->move == PBY_MOVE_CHANGE)
        pair->more[i] = clamp(inputs, i, level_of(inputs, i, (int)draw(state, TOP + 1))) - pair->left[i];
    else
        pair->more[i] = inputs->move == PBY_MOVE_SWAP || draw(state, 2) == 0 ? 1 : -1;
    if (inputs->move == PBY_MOVE_SWAP)
        pair->more[j] -= 1;
}

/* Records come and go. */
static void change_count(pby_input_pair *pair, const pby_inputs *inputs, uint64_t *state)
{
    const bool drop = pair->gone < pair->count;
    const size_t before = pair->count;
    pair->count = 1 + draw(state, inputs->count);
    for (size_t i = before; i < pair->count; i++) {
        pair->left[i] = clamp(inputs, i, pair->left[draw(state, before)]);
        pair->more[i] = 0;
    }
    pair->gone = drop ? draw(state, pair->count) : pair->count;
}

void pby_pattern_near(pby_input_pair *out, const pby_input_pair *from, const pby_inputs *inputs,
                      uint64_t *state)
{
    enum { TRIES = 64 };
    for (int i = 0; i < TRIES; i++) {
        *out = *from;
        out->lasting = false;
        out->pattern = "found near a pattern";
        for (uint64_t steps = 1 + draw(state, 2); steps > 0; steps--) {
            const uint64_t what = draw(state, 8);
            if (what < 5)
                change_left(out, inputs, state);
            else if (what < 7 || inputs->form != PBY_INPUT_RECORDS)
                change_move(out, inputs, state);
            else
                change_count(out, inputs, state);
        }
        if (pby_input_pair_fits(out, inputs) && !pby_input_pair_same(out, from))
            return;
    }
    *out = *from;
}
