/* SPDX-License-Identifier: MIT */
#include "kernel/draw.h"

#include <criterion/criterion.h>

#include "kernel/cell.h"
#include "kernel/guide.h"
#include "tests/kernel/stream.h"

enum { MANY = 41 };

/* The draw under test, with a guide made for the table. */
static int draw_cells(const uint64_t *t, size_t n, const uint64_t *words, size_t m, int64_t first,
                      int64_t *out)
{
    static uint32_t guide[PBY_SLOTS + 1];
    pby_guide(guide, t, n);
    return pby_draw_cells(t, n, pby_depth(n), guide, words, m, first, out);
}

static int is_cut(const uint64_t *t, size_t n, uint64_t w)
{
    for (size_t i = 1; i < n; i++)
        if (t[i] == w)
            return 1;
    return 0;
}

static void compare(const uint64_t *t, size_t n, const uint64_t *words, size_t m, int64_t first)
{
    int64_t out[MANY + 1];
    for (size_t k = 0; k <= MANY; k++)
        out[k] = 99;
    uint32_t open[MANY + 1];
    size_t cuts = 0, listed = 0;
    for (size_t k = 0; k < m; k++)
        cuts += (size_t)is_cut(t, n, words[k]);
    cr_assert_eq(draw_cells(t, n, words, m, first, out), cuts == 0);
    open[m] = 77;
    const int64_t lo = first + 1, hi = first + (int64_t)n - 2;
    const size_t count = pby_open(open, t, n, words, out, m, first, lo, hi);
    for (size_t k = 0; k < m; k++) {
        size_t cell = n - 1;
        while (t[cell] > words[k])
            cell--;
        cr_assert_eq(out[k], first + (int64_t)cell);
        if (is_cut(t, n, words[k]) || out[k] < lo || out[k] > hi)
            cr_assert(listed < count && open[listed++] == k, "place %zu", k);
    }
    cr_assert_eq(listed, count);
    cr_assert_eq(out[m], 99, "nothing is written past the end");
    cr_assert_eq(open[m], 77, "nor here");
}

Test(kernel_draw, model)
{
    uint64_t t[40], words[MANY], state = 4;
    for (size_t n = 1; n <= 40; n++)
        for (size_t m = 0; m <= MANY; m += 1 + n % 3) {
            stream_table(&state, t, n, 64);
            for (size_t k = 0; k < m; k++)
                words[k] = stream_next(&state);
            compare(t, n, words, m, -20);
        }
}

/* Dense tables: words meet cuts at every place of a block of four. */
Test(kernel_draw, lists_every_cut)
{
    uint64_t t[20], words[MANY], state = 5;
    for (int round = 0; round < 2000; round++) {
        const size_t n = 1 + stream_next(&state) % 20;
        stream_table(&state, t, n, 8);
        for (size_t k = 0; k < MANY; k++)
            words[k] = stream_next(&state) >> 56;
        compare(t, n, words, MANY, 0);
    }
}

Test(kernel_draw, each_cut_at_each_place)
{
    const uint64_t t[] = {0, 10, 10, 300, UINT64_MAX};
    for (size_t i = 1; i < 5; i++)
        for (size_t place = 0; place < 9; place++) {
            uint64_t words[9] = {1, 11, 12, 301, 2, 13, 3, 4, 5};
            words[place] = t[i];
            int64_t out[9];
            uint32_t open[9];
            cr_assert_eq(draw_cells(t, 5, words, 9, 0, out), 0);
            cr_assert_eq(pby_open(open, t, 5, words, out, 9, 0, 0, 4), 1);
            cr_assert_eq(open[0], place);
        }
}

/* The word 0 is the left end of cell 0, which no cut makes undecided; a cut at 0 does. */
Test(kernel_draw, zero)
{
    const uint64_t words[] = {0}, plain[] = {0, 5}, cut[] = {0, 0, 5};
    int64_t out[1];
    cr_assert_eq(draw_cells(plain, 2, words, 1, -3, out), 1);
    cr_assert_eq(out[0], -3);
    cr_assert_eq(draw_cells(cut, 3, words, 1, -3, out), 0);
}

Test(kernel_draw, one_cell)
{
    const uint64_t t[] = {0}, words[] = {0, 1, UINT64_MAX, 2, 3};
    int64_t out[5];
    cr_assert_eq(draw_cells(t, 1, words, 5, INT64_MAX, out), 1);
    for (size_t k = 0; k < 5; k++)
        cr_assert_eq(out[k], INT64_MAX);
    cr_assert_eq(draw_cells(t, 1, words, 5, INT64_MIN, out), 1);
    cr_assert_eq(out[4], INT64_MIN);
}

/* Over all the words that a byte can reach: the decided words of a cell are those inside it. */
Test(kernel_draw, law_of_decided_words)
{
    uint64_t t[9], state = 6;
    for (int round = 0; round < 100; round++) {
        stream_table(&state, t, 9, 8);
        uint64_t decided[9] = {0};
        for (uint64_t u = 0; u < 256; u++) {
            int64_t cell;
            if (draw_cells(t, 9, &u, 1, 0, &cell) == 1)
                decided[cell]++;
        }
        for (size_t i = 0; i < 9; i++) {
            const uint64_t hi = i == 8 ? 256 : t[i + 1];
            cr_assert_eq(decided[i], i == 0 ? hi : (t[i] < hi ? hi - t[i] - 1 : 0));
        }
    }
}
