/* SPDX-License-Identifier: MIT */
#include "kernel/range.h"

#include <criterion/criterion.h>

Test(kernel_range, every_noise_around_the_reach)
{
    for (int64_t reach = 0; reach < 5; reach++)
        for (int64_t r = -7; r <= 7; r++) {
            const int64_t x[2] = {3, 100}, noise[2] = {r, 0};
            int64_t y[2];
            pby_ranges(y, x, 2, noise, reach);
            cr_assert_eq(y[0], r < -reach || r > reach ? PBY_SUPPRESSED : 3 + r);
            cr_assert_eq(y[1], 100);
        }
}

Test(kernel_range, edges)
{
    const int64_t noise[] = {INT32_MAX, -INT32_MAX, INT64_MIN, INT64_MAX};
    int64_t x[] = {INT64_MAX - 2 * (int64_t)INT32_MAX, 0, 0, 7};
    pby_ranges(x, x, 4, noise, INT32_MAX);
    cr_assert_eq(x[0], INT64_MAX - INT32_MAX, "its upper end is the largest number");
    cr_assert_eq(x[1], -INT32_MAX);
    cr_assert_eq(x[2], PBY_SUPPRESSED);
    cr_assert_eq(x[3], PBY_SUPPRESSED);
}
