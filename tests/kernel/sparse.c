/* SPDX-License-Identifier: MIT */
#include "kernel/sparse.h"

#include <criterion/criterion.h>

#include "tests/kernel/stream.h"

/* The expected answer, one query at a time. */
static size_t model(size_t *at, const int64_t *x, const int64_t *z, size_t n, const int64_t *t, size_t c)
{
    size_t found = 0;
    for (size_t i = 0; i < n && found < c; i++)
        if (x[i] + z[i] >= t[found])
            at[found++] = i;
    return found;
}

Test(kernel_sparse, model)
{
    enum { QUERIES = 40, MOST = 6 };
    int64_t x[QUERIES], z[QUERIES], t[MOST];
    uint64_t state = 5;
    size_t halted = 0, fewer = 0;
    for (int round = 0; round < 2000; round++) {
        size_t got[MOST], want[MOST];
        for (size_t i = 0; i < QUERIES; i++) {
            x[i] = (int64_t)(stream_next(&state) % 20);
            z[i] = (int64_t)(stream_next(&state) % 11) - 5;
        }
        for (size_t j = 0; j < MOST; j++)
            t[j] = 14 + (int64_t)(stream_next(&state) % 9);
        const size_t c = stream_next(&state) % (MOST + 1), n = stream_next(&state) % (QUERIES + 1);
        const size_t r = pby_sparse(got, x, z, n, t, c);
        cr_assert_eq(r, model(want, x, z, n, t, c));
        for (size_t j = 0; j < r; j++)
            cr_assert_eq(got[j], want[j]);
        halted += c > 0 && r == c;
        fewer += r < c;
    }
    cr_assert(halted > 100 && fewer > 100, "both ends are tried");
}

Test(kernel_sparse, halts)
{
    const int64_t x[] = {9, 9, 9, 9}, z[] = {0, 0, 0, 0}, t[] = {5, 5};
    size_t at[] = {77, 77, 77};
    cr_assert_eq(pby_sparse(at, x, z, 4, t, 2), 2);
    cr_assert_eq(at[0], 0);
    cr_assert_eq(at[1], 1);
    cr_assert_eq(at[2], 77, "nothing is said after the second");
    cr_assert_eq(pby_sparse(at, x, z, 4, t, 0), 0);
}

Test(kernel_sparse, above)
{
    const int64_t x[] = {1, 2, 3, 4, 3}, z[] = {0, 0, 0, -2, 0};
    cr_assert_eq(pby_above(x, z, 0, 5, 3), 2, "the threshold itself is reached");
    cr_assert_eq(pby_above(x, z, 3, 5, 3), 4);
    cr_assert_eq(pby_above(x, z, 0, 5, 4), 5, "none");
    cr_assert_eq(pby_above(x, z, 5, 5, 0), 5);
}

Test(kernel_sparse, no_sum_overflows)
{
    cr_assert_eq(pby_reaches(INT64_MAX, INT64_MAX, INT64_MAX), 1);
    cr_assert_eq(pby_reaches(INT64_MIN, INT64_MIN, INT64_MIN), 0);
    cr_assert_eq(pby_reaches(INT64_MIN, INT64_MAX, -1), 1);
    cr_assert_eq(pby_reaches(INT64_MIN, INT64_MAX, 0), 0);
    cr_assert_eq(pby_reaches(INT64_MAX, INT64_MIN, -1), 1);
    cr_assert_eq(pby_reaches(INT64_MAX, INT64_MIN, 0), 0);
    cr_assert_eq(pby_reaches(0, INT64_MIN, INT64_MIN), 1);
    cr_assert_eq(pby_reaches(-1, INT64_MIN, INT64_MIN), 0);
    cr_assert_eq(pby_reaches(-1, 0, INT64_MIN), 1);
}
