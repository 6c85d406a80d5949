/* SPDX-License-Identifier: MIT */
#include "kernel/silent_halves.h"

#include <criterion/criterion.h>

#include "kernel/cell.h"
#include "tests/kernel/stream.h"

enum { MANY = 1003, CELLS = 60 };

static int32_t lead(uint64_t word)
{
    return (int32_t)((int64_t)(word >> 32) - (INT64_C(1) << 31));
}

Test(kernel_silent_halves, splits_words)
{
    const uint64_t words[] = {0, UINT64_MAX, UINT64_C(0x0123456789abcdef)};
    int32_t half[7] = {0, 0, 0, 0, 0, 0, 99};
    pby_silent_split(half, words, 3);
    for (size_t i = 0; i < 3; i++) {
        cr_assert_eq(half[i], lead(words[i]));
        cr_assert_eq(half[3 + i], lead(words[i] << 32));
    }
    cr_assert(half[0] == INT32_MIN && half[1] == INT32_MAX && half[6] == 99);
}

/* Every half is open exactly where a cut leads with it; else its cell is that of any word that leads so. */
static void check_halves(const uint64_t *t, size_t n, const int32_t *half, size_t m, uint64_t *state)
{
    static int32_t cell[MANY + 1], open[MANY + 1];
    cell[m] = open[m] = 99;
    pby_silent_halves(t, n, half, m, cell, open);
    cr_assert(cell[m] == 99 && open[m] == 99, "nothing is written past the end");
    for (size_t k = 0; k < m; k++) {
        const uint64_t from = (uint64_t)((int64_t)half[k] + (INT64_C(1) << 31)) << 32;
        const uint64_t words[] = {from, from + UINT32_MAX, from + (stream_next(state) >> 32)};
        int led = 0;
        for (size_t i = 1; i < n; i++)
            led |= lead(t[i]) == half[k];
        cr_assert_eq(open[k] != 0, led);
        cr_assert(0 <= cell[k] && (size_t)cell[k] < n);
        for (size_t i = 0; i < 3 && !led; i++)
            cr_assert_eq((size_t)cell[k], pby_cell(t, n, pby_depth(n), words[i]));
    }
}

Test(kernel_silent_halves, draws_what_whole_words_draw)
{
    static int32_t half[MANY];
    uint64_t t[CELLS], state = 41;
    for (size_t n = 1; n <= CELLS; n++) {
        stream_table(&state, t, n, 64);
        for (size_t k = 0; k < MANY; k++)
            half[k] = lead(stream_next(&state));
        for (size_t i = 1; i < n; i++)
            half[stream_next(&state) % MANY] = lead(t[i]);
        check_halves(t, n, half, MANY - n, &state);
    }
}

/* Cuts that lead alike, also with the last half of all, which ends the comparisons, within a group and at its
 * end. */
Test(kernel_silent_halves, cuts_may_lead_alike)
{
    int32_t half[34];
    uint64_t t[20], state = 42;
    for (int round = 0; round < 3000; round++) {
        const size_t n = 1 + stream_next(&state) % 20;
        for (size_t i = 0; i < n; i++) /* leads 0 .. 7 and the last eight */
            t[i] = (stream_next(&state) >> 61 << 32 | stream_next(&state) >> 32) *
                   (stream_next(&state) % 2 == 0 ? 1 : UINT64_MAX);
        t[0] = 0;
        qsort(t, n, sizeof *t, stream_order);
        for (int32_t k = 0; k < 17; k++) {
            half[k] = INT32_MIN + k;
            half[33 - k] = INT32_MAX - k;
        }
        check_halves(t, n, half, 34, &state);
    }
}

/* All ways for seven places to be open, and longer blocks with a few. */
Test(kernel_silent_halves, finds_the_ends)
{
    static int32_t open[MANY];
    int32_t at[3] = {0, 0, 99};
    for (unsigned set = 0; set < 128; set++) {
        int32_t first = -1, last = -1, count = 0;
        for (int32_t k = 0; k < 7; k++) {
            open[k] = set >> k & 1 ? 1 + k : 0;
            first = open[k] != 0 && first < 0 ? k : first;
            last = open[k] != 0 ? k : last;
            count += open[k] != 0;
        }
        cr_assert_eq(pby_silent_ends(at, open, 7), count <= 2);
        cr_assert(0 <= at[0] && at[0] < 7 && 0 <= at[1] && at[1] < 7);
        cr_assert(count == 0 || (at[0] == first && at[1] == last));
    }
    for (int32_t k = 0; k < 7; k++)
        open[k] = 0;
    open[17] = open[1001] = 3;
    cr_assert_eq(pby_silent_ends(at, open, MANY), 1);
    cr_assert(at[0] == 17 && at[1] == 1001);
    open[1002] = 1;
    cr_assert_eq(pby_silent_ends(at, open, MANY), 0);
    cr_assert(at[0] == 17 && at[1] == 1002 && at[2] == 99);
}

Test(kernel_silent_halves, a_word_gets_the_half_of_its_place)
{
    static int32_t half[MANY];
    uint64_t state = 43;
    for (size_t k = 0; k < MANY; k++)
        half[k] = lead(stream_next(&state));
    for (int round = 0; round < 500; round++) {
        const uint64_t before[] = {stream_next(&state), stream_next(&state)};
        const int32_t at[] = {(int32_t)(stream_next(&state) % MANY), (int32_t)(stream_next(&state) % MANY)};
        uint64_t word[] = {before[0], before[1]};
        pby_silent_lead(word, half, MANY, at);
        for (size_t i = 0; i < 2; i++)
            cr_assert(lead(word[i]) == half[at[i]] && word[i] << 32 == before[i] << 32);
    }
}

Test(kernel_silent_halves, values_count_from_the_first)
{
    static int32_t cell[MANY];
    static int64_t out[MANY + 1];
    uint64_t state = 44;
    for (size_t k = 0; k < MANY; k++)
        cell[k] = (int32_t)(stream_next(&state) % CELLS);
    out[MANY] = 99;
    for (int round = 0; round < 500; round++) {
        const int32_t a = (int32_t)(stream_next(&state) % MANY),
                      at[] = {a, round % 5 == 0 ? a : MANY - 1 - a};
        const int64_t other[] = {(int64_t)(stream_next(&state) % CELLS),
                                 (int64_t)(stream_next(&state) % CELLS)};
        pby_silent_values(out, cell, MANY, CELLS, -7, at, other);
        for (int32_t k = 0; k < MANY; k++)
            cr_assert_eq(out[k], -7 + (k == at[1] ? other[1] : k == at[0] ? other[0] : cell[k]));
    }
    cr_assert_eq(out[MANY], 99);
    const int32_t ends[] = {0, 0}, most[] = {INT32_MAX - 1};
    const int64_t last[] = {0, INT32_MAX - 1};
    pby_silent_values(out, most, 1, INT32_MAX, INT64_MAX - (INT32_MAX - 1), ends, last);
    cr_assert_eq(out[0], INT64_MAX);
}
