/* SPDX-License-Identifier: MIT */
#include "kernel/histogram.h"

#include <criterion/criterion.h>

#include "tests/kernel/stream.h"

enum { BARS = 30 };

static void fill(uint64_t *state, int64_t *x, int64_t *noise, int64_t bound)
{
    for (size_t i = 0; i < BARS; i++) {
        x[i] = (int64_t)(stream_next(state) % 4 == 0 ? 0 : stream_next(state) % 20);
        noise[i] = -(int64_t)(stream_next(state) % (uint64_t)(bound + 1));
    }
}

static void check_shrunk(const int64_t *y, const int64_t *x, size_t n, const int64_t *noise, size_t used)
{
    size_t s = 0;
    for (size_t i = 0; i < n; i++) {
        if (x[i] == 0) {
            cr_assert_eq(y[i], 0, "an empty bar stays empty");
            continue;
        }
        const int64_t v = x[i] + noise[s++];
        cr_assert_eq(y[i], v < 0 ? 0 : v);
    }
    cr_assert_eq(used, s);
}

Test(kernel_histogram, shrink_model)
{
    int64_t x[BARS], y[BARS], noise[BARS];
    uint64_t state = 7;
    for (int round = 0; round < 500; round++) {
        const size_t n = stream_next(&state) % (BARS + 1);
        fill(&state, x, noise, 12);
        const size_t used = pby_shrink(y, x, n, noise, 12);
        check_shrunk(y, x, n, noise, used);
        cr_assert_eq(used, pby_support(x, n));
    }
}

Test(kernel_histogram, shrink_in_place)
{
    int64_t x[BARS], y[BARS], noise[BARS];
    uint64_t state = 8;
    for (int round = 0; round < 200; round++) {
        fill(&state, x, noise, 12);
        for (size_t i = 0; i < BARS; i++)
            y[i] = x[i];
        check_shrunk(y, x, BARS, noise, pby_shrink(y, y, BARS, noise, 12));
    }
}

Test(kernel_histogram, shrink_edges)
{
    const int64_t x[] = {INT64_MAX, INT64_MAX, 1, 0, 1};
    const int64_t noise[] = {0, -INT64_MAX, -INT64_MAX, -1};
    int64_t y[5];
    cr_assert_eq(pby_shrink(y, x, 5, noise, INT64_MAX), 4);
    cr_assert_eq(y[0], INT64_MAX);
    cr_assert_eq(y[1], 0);
    cr_assert_eq(y[2], 0);
    cr_assert_eq(y[3], 0);
    cr_assert_eq(y[4], 0);
    cr_assert_eq(pby_shrink(y, x, 0, noise, 0), 0);
}

/* All bars empty: no noise is read, so there need be none. */
Test(kernel_histogram, shrink_nothing)
{
    const int64_t x[3] = {0, 0, 0};
    int64_t y[3] = {5, 5, 5};
    cr_assert_eq(pby_shrink(y, x, 3, NULL, 0), 0);
    for (size_t i = 0; i < 3; i++)
        cr_assert_eq(y[i], 0);
}

Test(kernel_histogram, support)
{
    const int64_t x[] = {0, 1, 0, INT64_MAX, -1, 0};
    const size_t counts[] = {0, 0, 1, 1, 2, 3, 3};
    for (size_t n = 0; n <= 6; n++)
        cr_assert_eq(pby_support(x, n), counts[n]);
}

Test(kernel_histogram, perturb)
{
    const int64_t ends[] = {INT64_MIN, INT64_MIN + 1, -2, -1, 0, 1, 2, INT64_MAX - 1, INT64_MAX};
    __extension__ typedef __int128 wide;
    for (size_t a = 0; a < 9; a++)
        for (size_t b = 0; b < 9; b++) {
            const wide v = (wide)ends[a] + ends[b];
            const int64_t want = v < INT64_MIN ? INT64_MIN : v > INT64_MAX ? INT64_MAX : (int64_t)v;
            int64_t x[2] = {ends[a], 3}, y[2] = {0, 42};
            pby_perturb(y, x, 1, &ends[b]);
            cr_assert_eq(y[0], want);
            cr_assert_eq(y[1], 42);
            pby_perturb(x, x, 1, &ends[b]);
            cr_assert_eq(x[0], want, "in place");
            cr_assert_eq(x[1], 3);
        }
}
