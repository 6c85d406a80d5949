/* SPDX-License-Identifier: MIT */
#include "kernel/tukey.h"

#include <criterion/criterion.h>

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Every line of five bars with up to three records each, at every level up to 8. */
Test(kernel_tukey, a_table_counts_the_fewer_of_two_sides)
{
    enum { BARS = 5, LINES = 1024 };
    for (int code = 0; code < LINES; code++)
        for (int64_t level = 0; level <= 8; level++) {
            int64_t x[BARS], table[BARS + 1];
            table[BARS] = 42;
            for (int i = 0; i < BARS; i++)
                x[i] = code >> (2 * i) & 3;
            const pby_tukey_span span = pby_tukey_table(table, x, BARS, level);
            cr_assert(span.lo <= span.hi && span.hi <= BARS);
            for (size_t v = span.lo; v < span.hi; v++)
                cr_assert_eq(table[v], level, "line %d, level %ld", code, (long)level);
            if (span.lo == span.hi && level > 0) /* no place of the level is left out */
                for (int v = 0; v < BARS; v++)
                    cr_assert_lt(table[v], level, "line %d, level %ld", code, (long)level);
            for (int v = 0; v < BARS; v++) {
                int64_t left = 0, right = 0;
                for (int i = 0; i < BARS; i++) {
                    left += i <= v ? x[i] : 0;
                    right += i >= v ? x[i] : 0;
                }
                cr_assert_eq(table[v], least(level, least(left, right)), "line %d, bar %d", code, v);
            }
            cr_assert_eq(table[BARS], 42);
        }
    cr_assert_eq(pby_tukey_table(NULL, NULL, 0, 1).hi, 0);
}

/* Sums beyond INT64_MAX are cut at the level and do not wrap. */
Test(kernel_tukey, a_table_does_not_overflow)
{
    const int64_t x[3] = {INT64_MAX, INT64_MAX, INT64_MAX};
    int64_t table[3];
    pby_tukey_table(table, x, 3, INT64_MAX);
    cr_assert(table[0] == INT64_MAX && table[1] == INT64_MAX && table[2] == INT64_MAX);
    pby_tukey_table(table, x, 3, 7);
    cr_assert(table[0] == 7 && table[1] == 7 && table[2] == 7);
}

Test(kernel_tukey, a_row_is_lowered_forwards_backwards_and_in_place)
{
    const int64_t table[5] = {4, 0, 3, 1, 2};
    for (int64_t stride = -2; stride <= 2; stride++)
        for (int64_t from = 0; from < 5; from++)
            for (size_t n = 1; n <= 3; n++) {
                int64_t depth[4] = {2, 2, 2, 9};
                const int64_t last = from + (int64_t)(n - 1) * stride;
                if (last < 0 || last >= 5)
                    continue;
                pby_tukey_row(depth, n, table, 5, from, stride);
                for (size_t i = 0; i < 4; i++) {
                    const int64_t before = i < 3 ? 2 : 9;
                    cr_assert_eq(depth[i], i < n ? least(before, table[from + (int64_t)i * stride]) : before);
                }
            }
}
