/* SPDX-License-Identifier: MIT */
#include "kernel/lanes.h"

#include <criterion/criterion.h>

/* Every lane beside every kind of cut: below, above and within its words. */
Test(kernel_lanes, a_lane_decides_unless_it_begins_the_cut)
{
    static const uint16_t lanes[] = {0, 1, 7, 0x8000, 0xbadc, 0xfffe, 0xffff};
    enum { LANES = sizeof lanes / sizeof *lanes };
    for (size_t c = 0; c < LANES; c++)
        for (uint64_t rest = 0; rest < 3; rest++) {
            const uint64_t cut = lanes[c] * PBY_LANE_SPAN + (rest == 0   ? 0
                                                             : rest == 1 ? 12345
                                                                         : PBY_LANE_SPAN - 1);
            const uint64_t t[2] = {0, cut};
            int64_t out[LANES];
            cr_assert_eq(pby_draw_lanes(t, lanes, LANES, -5, out), 0, "the cut's own lane is among them");
            for (size_t i = 0; i < LANES; i++)
                cr_assert_eq(out[i], -5 + (lanes[i] > lanes[c]), "lane %zu at cut %zu", i, c);
            const uint16_t others[2] = {(uint16_t)(lanes[c] + 1), (uint16_t)(lanes[c] - 1)};
            cr_assert_eq(pby_draw_lanes(t, others, 2, 0, out), 1);
        }
}

Test(kernel_lanes, none_at_all_is_decided)
{
    const uint64_t t[2] = {0, 5};
    int64_t out = -1;
    cr_assert_eq(pby_draw_lanes(t, NULL, 0, 0, &out), 1);
    cr_assert_eq(out, -1);
}

Test(kernel_lanes, the_open_ones_are_those_of_the_cut)
{
    const uint64_t t[2] = {0, 7 * PBY_LANE_SPAN + 3};
    const uint16_t lane[] = {7, 6, 7, 8, 0xffff, 0, 7};
    uint32_t open[7];
    cr_assert_eq(pby_open_lanes(open, t, lane, 7), 3);
    cr_assert_eq(open[0], 0);
    cr_assert_eq(open[1], 2);
    cr_assert_eq(open[2], 6);
    cr_assert_eq(pby_open_lanes(open, t, lane + 3, 3), 0);
    cr_assert_eq(pby_open_lanes(open, t, NULL, 0), 0);
}

Test(kernel_lanes, of_a_word_the_last_digits_first)
{
    const uint64_t words[] = {0x0123456789abcdef, UINT64_MAX, 0};
    uint16_t lane[13];
    lane[12] = 99;
    pby_lanes(lane, words, 3);
    static const uint16_t expected[13] = {0xcdef, 0x89ab, 0x4567, 0x0123, 0xffff, 0xffff, 0xffff,
                                          0xffff, 0,      0,      0,      0,      99};
    for (size_t i = 0; i < 13; i++)
        cr_assert_eq(lane[i], expected[i], "lane %zu", i);
}
