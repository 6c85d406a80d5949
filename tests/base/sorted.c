/* SPDX-License-Identifier: MIT */
#include "base/sorted.h"

#include <criterion/criterion.h>
#include <stdlib.h>

Test(sorted, signed_numbers_are_in_order_of_their_values)
{
    int64_t x[] = {3, INT64_MAX, -1, INT64_MIN, 0};
    const int64_t expected[] = {INT64_MIN, -1, 0, 3, INT64_MAX};
    qsort(x, 5, sizeof *x, pby_compare_int64);
    cr_assert_arr_eq(x, expected, sizeof x);
}

Test(sorted, the_greatest_number_without_a_sign_is_last)
{
    uint64_t x[] = {UINT64_MAX, 0, (uint64_t)1 << 63, 1};
    const uint64_t expected[] = {0, 1, (uint64_t)1 << 63, UINT64_MAX};
    qsort(x, 4, sizeof *x, pby_compare_uint64);
    cr_assert_arr_eq(x, expected, sizeof x);
}

Test(sorted, elements_below_are_counted_as_one_by_one)
{
    enum { MOST = 9 };
    for (size_t n = 0; n <= MOST; n++) {
        int64_t x[MOST];
        uint64_t y[MOST];
        for (size_t i = 0; i < n; i++) { /* every third is there twice */
            x[i] = 2 * (int64_t)(i - i % 3 / 2) - 6;
            y[i] = (uint64_t)(x[i] + 6);
        }
        for (int64_t at = -8; at <= 14; at++) {
            size_t expected = 0;
            while (expected < n && x[expected] < at)
                expected++;
            cr_assert_eq(pby_sorted_below_int64(x, n, at), expected);
            if (at >= -6)
                cr_assert_eq(pby_sorted_below_uint64(y, n, (uint64_t)(at + 6)), expected);
        }
    }
}
