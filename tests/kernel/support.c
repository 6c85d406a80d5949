/* SPDX-License-Identifier: MIT */
#include "kernel/support.h"

#include <criterion/criterion.h>

Test(kernel_support, a_row_raises_its_places)
{
    const int64_t depth[3] = {4, 1, 7};
    int64_t best[5] = {0, 2, 5, 2, 0};
    pby_support_row(best, 5, depth, 3, 4, -2);
    static const int64_t backwards[5] = {7, 2, 5, 2, 4}, still[5] = {7, 7, 5, 2, 4};
    cr_assert_arr_eq(best, backwards, sizeof best);
    pby_support_row(best, 5, depth, 3, 1, 0);
    cr_assert_arr_eq(best, still, sizeof best);
    pby_support_row(best, 5, NULL, 0, 0, 1);
    cr_assert_arr_eq(best, still, sizeof best);
}

Test(kernel_support, beyond_is_the_greatest_from_there_on)
{
    int64_t best[5] = {3, 9, 1, 4, 0};
    static const int64_t greatest[5] = {9, 9, 4, 4, 0};
    pby_support_beyond(best, 5);
    cr_assert_arr_eq(best, greatest, sizeof best);
    pby_support_beyond(NULL, 0);
}

Test(kernel_support, a_place_misses_by_what_is_short_or_beyond)
{
    const int64_t best[6] = {UINT32_MAX, 9, 7, 4, 1, 0};
    int64_t fall[6];
    static const int64_t want[6] = {5, 3, 0, 1, 4, 5}, alone[1] = {0};
    pby_support_falls(fall, best, 6, 5);
    cr_assert_arr_eq(fall, want, sizeof want);
    pby_support_falls(fall, best, 1, 5);
    cr_assert_arr_eq(fall, alone, sizeof alone);
}
