/* SPDX-License-Identifier: MIT */
#include "kernel/rounding.h"

#include <criterion/criterion.h>

/* Exactly x of the m offsets round x up: the mean is x. */
Test(kernel_rounding, as_many_offsets_round_up_as_the_number_is)
{
    for (int64_t m = 1; m <= 9; m++)
        for (int64_t x = 0; x <= m; x++) {
            int64_t tops = 0;
            for (int64_t offset = 0; offset < m; offset++) {
                int64_t y, in_place = x;
                pby_round_up(&y, &x, 1, &offset, m);
                pby_round_up(&in_place, &in_place, 1, &offset, m);
                cr_assert_eq(y, in_place);
                tops += y;
            }
            cr_assert_eq(tops, x);
        }
}

/* [Survey], 7.8 as printed: an offset from 1 to m - 1, and the top where x + offset > m. The chance of the
 * top is (x - 1)/(m - 1), and not x/m: a value of 1 in 0 .. 2 is always rounded to 0. */
Test(kernel_rounding, the_printed_rule_does_not_keep_the_mean)
{
    for (int64_t m = 2; m <= 9; m++)
        for (int64_t x = 1; x <= m; x++) {
            int64_t tops = 0;
            for (int64_t offset = 1; offset < m; offset++)
                tops += x + offset > m;
            cr_assert_eq(tops, x - 1);
            cr_assert_eq(tops * m == x * (m - 1), x == m, "right at the end alone");
        }
}

Test(kernel_rounding, the_largest_numbers)
{
    const int64_t m = INT64_MAX / 2, x[2] = {m, 0}, offset[2] = {m - 1, m - 1};
    int64_t y[2];
    pby_round_up(y, x, 2, offset, m);
    cr_assert(y[0] == 1 && y[1] == 0);
}
