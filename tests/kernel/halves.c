/* SPDX-License-Identifier: MIT */
#include "kernel/halves.h"

#include <criterion/criterion.h>

#include "kernel/cell.h"
#include "tests/kernel/stream.h"

enum { CELLS = 12 };

static int is_cut(const uint64_t *t, uint64_t w)
{
    for (size_t i = 1; i < CELLS; i++)
        if (t[i] == w)
            return 1;
    return 0;
}

/* Words around every end of the table and of its halves: what a half that is no cut draws, they draw. */
Test(kernel_halves, a_half_decides_unless_a_cut_begins_so)
{
    uint64_t t[CELLS], half[CELLS + 1], state = 9;
    for (int round = 0; round < 200; round++) {
        stream_table(&state, t, CELLS, round % 2 == 0 ? 64 : 34);
        half[CELLS] = 99;
        pby_halve(half, t, CELLS);
        cr_assert(pby_is_table(half, CELLS));
        cr_assert_eq(half[CELLS], 99);
        for (size_t i = 0; i < CELLS; i++) {
            cr_assert_eq(half[i], t[i] >> 32 << 32);
            for (uint64_t by = 0; by < 5; by++) {
                const uint64_t w = t[i] + (by - 2) * (round % 3 == 0 ? 1 : PBY_HALF_SPAN / 2 + 1);
                const uint64_t leading = w >> 32 << 32;
                if (is_cut(half, leading))
                    continue;
                cr_assert_eq(pby_cell(t, CELLS, pby_depth(CELLS), w),
                             pby_cell(half, CELLS, pby_depth(CELLS), leading));
                cr_assert(!is_cut(t, w));
            }
        }
    }
}

Test(kernel_halves, of_a_word_the_leading_digits_first)
{
    const uint64_t words[] = {0x0123456789abcdef, UINT64_MAX, 0};
    uint64_t half[7];
    half[6] = 99;
    pby_split(half, words, 3);
    static const uint64_t expected[7] = {
        0x0123456700000000, 0x89abcdef00000000, 0xffffffff00000000, 0xffffffff00000000, 0, 0, 99};
    for (size_t i = 0; i < 7; i++)
        cr_assert_eq(half[i], expected[i], "half %zu", i);
}

Test(kernel_halves, the_other_digits_are_those_of_the_word)
{
    cr_assert_eq(pby_finish(0x0123456700000000, PBY_HALF_SPAN, 0xfedcba9889abcdef), 0x0123456789abcdef);
    cr_assert_eq(pby_finish(0xffffffff00000000, PBY_HALF_SPAN, UINT64_MAX), UINT64_MAX);
    cr_assert_eq(pby_finish(UINT64_MAX, 1, 12345), UINT64_MAX);
    cr_assert_eq(pby_finish(0, (uint64_t)1 << 63, UINT64_MAX), UINT64_MAX / 2);
}
