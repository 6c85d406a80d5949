/* SPDX-License-Identifier: MIT */
#include "kernel/coins.h"

#include <criterion/criterion.h>

Test(kernel_coins, a_word_is_below_above_or_at_its_cut)
{
    const uint64_t word[] = {0, 0, 4, 5, 6, UINT64_MAX - 1, UINT64_MAX},
                   cut[] = {0, 1, 5, 5, 5, UINT64_MAX, UINT64_MAX};
    const uint8_t expected[] = {PBY_TIED, PBY_HEADS, PBY_HEADS, PBY_TIED, PBY_TAILS, PBY_HEADS, PBY_TIED};
    uint8_t shows[8] = {[7] = 9};
    pby_toss(shows, word, cut, 7);
    cr_assert_arr_eq(shows, expected, sizeof expected);
    cr_assert_eq(shows[7], 9, "nothing behind the last is written");
    pby_toss(shows, word, cut, 0);
}

/* All rows of six coins, each heads, tails or undecided. */
Test(kernel_coins, heads_are_listed_in_order_and_no_others)
{
    for (size_t row = 0; row < 729; row++) {
        uint8_t shows[6];
        size_t at[7] = {[6] = 99}, expected = 0;
        for (size_t i = 0, rest = row; i < 6; i++, rest /= 3)
            shows[i] = (uint8_t)(rest % 3);
        const size_t heads = pby_heads(at, shows, 6);
        for (size_t i = 0; i < 6; i++)
            if (shows[i] == PBY_HEADS)
                cr_assert_eq(at[expected++], i);
        cr_assert_eq(heads, expected);
        cr_assert_eq(at[6], 99, "nothing behind the room is written");
    }
}

/* Every state of one lane, in lanes 0, 31 and 63 of words whose other lanes are open and agree. */
Test(kernel_coins, a_digit_decides_the_lanes_that_differ)
{
    static const unsigned lanes[] = {0, 31, 63};
    for (unsigned state = 0; state < 64; state++)
        for (size_t l = 0; l < 3; l++) {
            const uint64_t lane = UINT64_C(1) << lanes[l];
            const bool is_open = state & 1, is_one = state & 2, masked = state & 4, with = state & 8,
                       without = state & 16, word = state & 32, digit = masked ? with : without;
            uint64_t open = is_open ? UINT64_MAX : ~lane, ones = is_one ? lane : 0;
            const uint64_t all = digit ? UINT64_MAX : 0;
            pby_flip_digit(&open, &ones, masked ? UINT64_MAX : 0, with ? UINT64_MAX : 0,
                           without ? UINT64_MAX : 0, word == digit ? all : all ^ lane);
            cr_assert_eq(open | lane, UINT64_MAX, "the other lanes stay open");
            cr_assert_eq((open & lane) != 0, is_open && word == digit);
            cr_assert_eq(ones, is_one || (is_open && digit && !word) ? lane : 0);
        }
}

/* The mask chooses the chance lane by lane. */
Test(kernel_coins, each_lane_has_the_chance_of_its_mask)
{
    uint64_t open = UINT64_MAX, ones = 0;
    pby_flip_digit(&open, &ones, 0x00ff, UINT64_MAX, 0, 0);
    cr_assert_eq(ones, 0x00ff);
    cr_assert_eq(open, ~UINT64_C(0x00ff));
}
