/* SPDX-License-Identifier: MIT */
#include "mechanism/gauss/dgauss_shifts.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 4 }; /* coordinates of the box that is walked through */

static int falling(const void *a, const void *b)
{
    const ulong x = *(const ulong *)a, y = *(const ulong *)b;
    return (x < y) - (x > y);
}

/* The vector written out, at most SIDE coordinates. */
static void written(ulong out[SIDE], const pby_shift *v)
{
    size_t n = 0;
    memset(out, 0, SIDE * sizeof *out);
    for (size_t i = 0; i < v->count; i++)
        for (ulong k = 0; k < v->times[i]; k++) {
            cr_assert_lt(n, (size_t)SIDE);
            out[n++] = v->value[i];
        }
}

static bool exceeds(const ulong a[SIDE], const ulong b[SIDE])
{
    bool yes = true;
    for (size_t i = 0; i < SIDE; i++)
        yes = yes && a[i] >= b[i];
    return yes;
}

/* Every vector of the box that may be is exceeded by one of the list, and none of the list by another. */
static void check(ulong norm2, ulong dimensions)
{
    pby_shifts all;
    ulong v[SIDE], w[SIDE], longest = 0;
    cr_assert(pby_shifts_all(&all, norm2, dimensions));
    for (size_t i = 0; i < all.count; i++) {
        written(v, &all.shift[i]);
        cr_assert_leq(pby_shift_norm2(&all.shift[i]), norm2);
        cr_assert_leq(pby_shift_coordinates(&all.shift[i]), dimensions);
        for (size_t j = 0; j < all.count; j++) {
            written(w, &all.shift[j]);
            cr_assert(i == j || !exceeds(w, v), "%lu, %lu: %zu and %zu", norm2, dimensions, i, j);
        }
    }
    for (ulong code = 0; code < 7 * 7 * 7 * 7; code++) {
        ulong sum = 0, used = 0, rest = code;
        for (size_t i = 0; i < SIDE; i++, rest /= 7) {
            v[i] = rest % 7;
            sum += v[i] * v[i];
            used += v[i] > 0;
        }
        if (sum > norm2 || used > dimensions)
            continue;
        longest = sum > longest ? sum : longest;
        qsort(v, SIDE, sizeof *v, falling);
        bool found = false;
        for (size_t i = 0; i < all.count && !found; i++) {
            written(w, &all.shift[i]);
            found = exceeds(w, v);
        }
        cr_assert(found, "norm2 %lu, dimensions %lu: no shift is as far as number %lu", norm2, dimensions,
                  code);
    }
    cr_assert_eq(pby_shifts_longest(norm2, dimensions), longest, "%lu, %lu", norm2, dimensions);
}

Test(dgauss_shifts, every_vector_is_exceeded)
{
    for (ulong dimensions = 1; dimensions <= SIDE; dimensions++)
        for (ulong norm2 = 1; norm2 <= 40; norm2++)
            if (dimensions > 1 || norm2 < 49)
                check(norm2, dimensions);
}

/* 50 has 104 partitions into squares (OEIS A001156), 16 has 8. */
Test(dgauss_shifts, partitions_into_squares)
{
    pby_shifts all;
    cr_assert(pby_shifts_all(&all, 16, 16));
    cr_assert_eq(all.count, 8u);
    cr_assert(!pby_shifts_all(&all, 50, 50));
    cr_assert(!pby_shifts_all(&all, 2147483647, 2147483647));
    cr_assert(!pby_shifts_all(&all, 2147483647, 3));
}

Test(dgauss_shifts, some_are_possible)
{
    static const ulong cases[][2] = {{1, 1},     {3, 3},    {4, 4},          {50, 1},
                                     {50, 7},    {1007, 3}, {2147483647, 2}, {2147483647, 2147483647},
                                     {100000, 9}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        pby_shifts some;
        pby_shifts_some(&some, cases[c][0], cases[c][1]);
        cr_assert_gt(some.count, 0u);
        for (size_t i = 0; i < some.count; i++) {
            cr_assert_gt(some.shift[i].count, 0u);
            cr_assert_leq(pby_shift_norm2(&some.shift[i]), cases[c][0]);
            cr_assert_leq(pby_shift_coordinates(&some.shift[i]), cases[c][1]);
        }
    }
}
