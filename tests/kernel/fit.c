/* SPDX-License-Identifier: MIT */
#include "kernel/fit.h"

#include <criterion/criterion.h>

Test(kernel_fit, within_finds_one_value_outside_at_every_place)
{
    enum { N = 37 };
    int64_t a[N];
    for (size_t i = 0; i < N; i++)
        a[i] = -5 + (int64_t)(i % 6);
    cr_assert_eq(pby_within(a, N, -5, 0), 1);
    for (size_t i = 0; i < N; i++) {
        const int64_t kept = a[i];
        a[i] = 1;
        cr_assert_eq(pby_within(a, N, -5, 0), 0);
        a[i] = -6;
        cr_assert_eq(pby_within(a, N, -5, 0), 0);
        a[i] = kept;
    }
}

Test(kernel_fit, within_at_the_ends)
{
    const int64_t ends[2] = {INT64_MIN, INT64_MAX};
    cr_assert_eq(pby_within(ends, 2, INT64_MIN, INT64_MAX), 1);
    cr_assert_eq(pby_within(ends, 2, INT64_MIN + 1, INT64_MAX), 0);
    cr_assert_eq(pby_within(ends, 2, INT64_MIN, INT64_MAX - 1), 0);
    cr_assert_eq(pby_within(NULL, 0, 1, 0), 1, "of nothing everything holds");
    cr_assert_eq(pby_within(ends, 1, 1, 0), 0, "and nothing is within an empty range");
}

Test(kernel_fit, cells_up_to_the_last_value)
{
    cr_assert_eq(pby_cells_fit(INT64_MAX, 1), 1);
    cr_assert_eq(pby_cells_fit(INT64_MAX, 2), 0);
    cr_assert_eq(pby_cells_fit(INT64_MAX - 9, 10), 1);
    cr_assert_eq(pby_cells_fit(INT64_MAX - 9, 11), 0);
    cr_assert_eq(pby_cells_fit(0, 0), 0);
    cr_assert_eq(pby_cells_fit(INT64_MIN, UINT32_MAX), 1);
    cr_assert_eq(pby_cells_fit(INT64_MIN, (size_t)UINT32_MAX + 1), 0);
    cr_assert_eq(pby_cells_fit(INT64_MIN, SIZE_MAX), 0);
}
