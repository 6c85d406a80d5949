/* SPDX-License-Identifier: MIT */
#include "kernel/threshold.h"

#include <criterion/criterion.h>

#include "tests/kernel/stream.h"

Test(kernel_threshold, model)
{
    enum { BARS = 30 };
    int64_t x[BARS], y[BARS], noise[BARS];
    uint64_t state = 31;
    for (int round = 0; round < 500; round++) {
        const int64_t threshold = 1 + (int64_t)(stream_next(&state) % 10);
        for (size_t i = 0; i < BARS; i++) {
            x[i] = (int64_t)(stream_next(&state) % 3 == 0 ? 0 : stream_next(&state) % 20);
            noise[i] = (int64_t)(stream_next(&state) % 21) - 10;
        }
        const size_t used = pby_threshold(y, x, BARS, noise, threshold);
        size_t s = 0;
        for (size_t i = 0; i < BARS; i++) {
            const int64_t v = x[i] == 0 ? 0 : x[i] + noise[s];
            s += x[i] != 0;
            cr_assert_eq(y[i], x[i] != 0 && v >= threshold ? v : PBY_SUPPRESSED);
        }
        cr_assert_eq(used, s);
        cr_assert_eq(pby_threshold(x, x, BARS, noise, threshold), s);
        for (size_t i = 0; i < BARS; i++)
            cr_assert_eq(x[i], y[i], "in place");
    }
}

Test(kernel_threshold, edges)
{
    const int64_t x[] = {INT64_MAX, 1, 1, 0, 5};
    const int64_t noise[] = {INT64_MAX, INT64_MIN, INT64_MAX, -4};
    int64_t y[5];
    cr_assert_eq(pby_threshold(y, x, 5, noise, 1), 4);
    cr_assert_eq(y[0], INT64_MAX);
    cr_assert_eq(y[1], PBY_SUPPRESSED);
    cr_assert_eq(y[2], INT64_MAX);
    cr_assert_eq(y[3], PBY_SUPPRESSED);
    cr_assert_eq(y[4], 1, "the threshold itself passes");
    cr_assert_eq(pby_threshold(y, x, 0, noise, 1), 0);
}

Test(kernel_threshold, one_more_and_one_less_where_shown)
{
    int64_t counts[] = {0, 7, INT64_MAX - 1}, raised[3];
    pby_one_more(raised, counts, 3);
    cr_assert(raised[0] == 1 && raised[1] == 8 && raised[2] == INT64_MAX);
    pby_one_more(counts, counts, 2);
    cr_assert(counts[0] == 1 && counts[1] == 8 && counts[2] == INT64_MAX - 1, "in place, and no further");
    int64_t shown[] = {PBY_SUPPRESSED, 1, INT64_MAX, INT64_MIN + 1, 5};
    pby_one_less(shown, 4);
    cr_assert(shown[0] == PBY_SUPPRESSED && shown[1] == 0 && shown[2] == INT64_MAX - 1 &&
              shown[3] == INT64_MIN && shown[4] == 5);
    pby_one_less(NULL, 0);
}
