/* SPDX-License-Identifier: MIT */
#include "kernel/cell.h"

#include <criterion/criterion.h>

#include "tests/kernel/stream.h"

static size_t model(const uint64_t *t, size_t n, uint64_t u)
{
    size_t cell = 0;
    for (size_t i = 0; i < n; i++)
        if (t[i] <= u)
            cell = i;
    return cell;
}

static void compare(const uint64_t *t, size_t n, uint64_t u)
{
    const unsigned depth = pby_depth(n);
    cr_assert_eq(pby_cell(t, n, depth, u), model(t, n, u));
    cr_assert_eq(pby_cell(t, n, depth + 3, u), model(t, n, u), "a deeper search finds the same cell");
}

/* Every size up to 70, ends dense and sparse, at each end, beside it, and at random words. */
Test(kernel_cell, model)
{
    const unsigned bits[] = {1, 3, 6, 64};
    uint64_t t[70], state = 2;
    for (size_t n = 1; n <= 70; n++)
        for (size_t b = 0; b < 4; b++) {
            stream_table(&state, t, n, bits[b]);
            cr_assert_eq(pby_is_table(t, n), 1);
            for (size_t i = 0; i < n; i++) {
                compare(t, n, t[i]);
                compare(t, n, t[i] - 1);
                compare(t, n, t[i] + 1);
                compare(t, n, stream_next(&state));
            }
            compare(t, n, UINT64_MAX);
        }
}

Test(kernel_cell, empty_cells_at_the_ends)
{
    const uint64_t low[] = {0, 0, 0, 5};
    cr_assert_eq(pby_cell(low, 4, 2, 0), 2, "cells 0 and 1 are empty");
    cr_assert_eq(pby_cell(low, 4, 2, 4), 2);
    cr_assert_eq(pby_cell(low, 4, 2, 5), 3);
    const uint64_t high[] = {0, UINT64_MAX, UINT64_MAX};
    cr_assert_eq(pby_cell(high, 3, 2, UINT64_MAX - 1), 0);
    cr_assert_eq(pby_cell(high, 3, 2, UINT64_MAX), 2, "cell 1 is empty");
}

/* The count of the contract, over all the words of a table that a byte can reach. */
Test(kernel_cell, hits)
{
    uint64_t t[9], state = 3;
    for (int round = 0; round < 100; round++) {
        stream_table(&state, t, 9, 8);
        uint64_t hits[9] = {0};
        for (uint64_t u = 0; u < 256; u++)
            hits[pby_cell(t, 9, 4, u)]++;
        for (size_t i = 0; i < 9; i++)
            cr_assert_eq(hits[i], (i == 8 ? 256 : t[i + 1]) - t[i]);
    }
}

Test(kernel_cell, depth)
{
    cr_assert_eq(pby_depth(1), 0);
    cr_assert_eq(pby_depth(2), 1);
    for (unsigned d = 1; d < 64; d++) {
        const size_t p = (size_t)1 << d;
        cr_assert_eq(pby_depth(p), d);
        cr_assert_eq(pby_depth(p + 1), d + 1);
        cr_assert_eq(pby_depth(p - 1), d == 1 ? 0 : d, "d = %u", d);
    }
    cr_assert_eq(pby_depth(SIZE_MAX), 64);
}

Test(kernel_cell, is_table)
{
    const uint64_t good[] = {0, 0, 7, 7, UINT64_MAX};
    for (size_t n = 1; n <= 5; n++)
        cr_assert_eq(pby_is_table(good, n), 1);
    cr_assert_eq(pby_is_table(good, 0), 0);
    const uint64_t first[] = {1, 2}, late[] = {0, 1, 2, 1}, early[] = {0, 9, 8, 10};
    cr_assert_eq(pby_is_table(first, 2), 0);
    cr_assert_eq(pby_is_table(late, 4), 0);
    cr_assert_eq(pby_is_table(late, 3), 1);
    cr_assert_eq(pby_is_table(early, 4), 0);
}
