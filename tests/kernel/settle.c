/* SPDX-License-Identifier: MIT */
#include "kernel/settle.h"

#include <criterion/criterion.h>

static void lies(int64_t value, int64_t lo, int64_t hi, int64_t beyond, int64_t expected)
{
    cr_assert_eq(pby_beyond(&value, lo, hi, beyond), 1);
    cr_assert_eq(value, expected);
}

static void leaves(int64_t value, int64_t lo, int64_t hi, int64_t beyond)
{
    const int64_t before = value;
    cr_assert_eq(pby_beyond(&value, lo, hi, beyond), 0);
    cr_assert_eq(value, before);
}

Test(kernel_settle, a_tail_goes_on_where_the_body_ends)
{
    lies(-6, -5, 5, 0, -6);
    lies(-6, -5, 5, 100, -106);
    lies(6, -5, 5, 0, 6);
    lies(6, -5, 5, 100, 106);
    lies(-1, 0, 9, INT64_MAX, INT64_MIN);
    lies(3, 0, 2, INT64_MAX - 3, INT64_MAX);
    lies(INT64_MIN, INT64_MIN + 1, 0, 0, INT64_MIN);
    lies(INT64_MAX, 0, INT64_MAX - 1, 0, INT64_MAX);
}

Test(kernel_settle, what_does_not_fit_is_not_put)
{
    leaves(-2, -1, 9, INT64_MAX);
    leaves(3, 0, 2, INT64_MAX - 2);
    leaves(6, -5, 5, -1);
    leaves(INT64_MAX, 0, INT64_MAX, 0);
    leaves(7, 5, INT64_MAX, 1);
    leaves(INT64_MIN, INT64_MIN + 1, 0, 1);
}

Test(kernel_settle, settled_values_come_into_their_places)
{
    int64_t value[] = {10, 11, 12, 13, 14};
    const uint32_t open[] = {0, 2, 4};
    const int64_t settled[] = {-1, -2, -3};
    pby_put(value, 5, open, settled, 3);
    static const int64_t expected[] = {-1, 11, -2, 13, -3};
    for (size_t i = 0; i < 5; i++)
        cr_assert_eq(value[i], expected[i], "place %zu", i);
    pby_put(value, 5, open, NULL, 0);
    cr_assert_eq(value[0], -1);
    pby_put(NULL, 0, NULL, NULL, 0);
}
