/* SPDX-License-Identifier: MIT */
#include "kernel/noisy_max.h"

#include <criterion/criterion.h>

#include "tests/kernel/stream.h"

Test(kernel_noisy_max, model)
{
    enum { QUERIES = 12 };
    int64_t x[QUERIES], z[QUERIES];
    uint64_t state = 8;
    size_t ties = 0;
    for (int round = 0; round < 2000; round++) {
        const size_t n = 1 + stream_next(&state) % QUERIES;
        size_t best = 0, equal = 0;
        for (size_t i = 0; i < n; i++) {
            x[i] = (int64_t)(stream_next(&state) % 9);
            z[i] = (int64_t)(stream_next(&state) % 9) - 4;
            if (x[i] + z[i] > x[best] + z[best])
                best = i;
        }
        for (size_t i = 0; i < n; i++)
            equal += x[i] + z[i] == x[best] + z[best];
        ties += equal > 1;
        cr_assert_eq(pby_noisy_max(x, z, n), best, "the first of the largest");
    }
    cr_assert(ties > 200, "ties are tried");
}

/* Sums beyond int64_t are compared as what they are. */
Test(kernel_noisy_max, no_sum_overflows)
{
    const int64_t high_x[] = {INT64_MAX, INT64_MAX, INT64_MAX, 0};
    const int64_t high_z[] = {1, INT64_MAX, INT64_MAX - 1, INT64_MAX};
    cr_assert_eq(pby_noisy_max(high_x, high_z, 4), 1);
    const int64_t low_x[] = {INT64_MIN, INT64_MIN, INT64_MIN};
    const int64_t low_z[] = {INT64_MIN, -1, -2};
    cr_assert_eq(pby_noisy_max(low_x, low_z, 3), 1);
    const int64_t far_x[] = {INT64_MIN, INT64_MIN, INT64_MAX, 5};
    const int64_t far_z[] = {INT64_MIN, 0, INT64_MIN, -6};
    cr_assert_eq(pby_noisy_max(far_x, far_z, 4), 2, "-1, and before the other -1");
}
