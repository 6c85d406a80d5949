/* SPDX-License-Identifier: MIT */
#include "kernel/guide.h"

#include <criterion/criterion.h>

#include "tests/kernel/stream.h"

static size_t cell_of(const uint64_t *t, size_t n, uint64_t w)
{
    size_t cell = n - 1;
    while (t[cell] > w)
        cell--;
    return cell;
}

/* Every entry is the cell of its slot's first word; a table of one cell, of many, of cuts on the borders. */
Test(kernel_guide, names_the_cell_in_which_a_slot_begins)
{
    static uint32_t guide[PBY_SLOTS + 1];
    static uint64_t t[5000];
    uint64_t state = 11;
    for (size_t n = 1; n <= 5000; n = 3 * n + 1)
        for (unsigned bits = 8; bits <= 64; bits += 28) {
            stream_table(&state, t, n, bits);
            for (size_t i = 1; i < n; i += 7)
                t[i] = t[i] / PBY_SPAN * PBY_SPAN;
            qsort(t, n, sizeof *t, stream_order);
            pby_guide(guide, t, n);
            for (size_t s = 0; s < PBY_SLOTS; s++)
                cr_assert_eq(guide[s], cell_of(t, n, s * PBY_SPAN));
            cr_assert_eq(guide[PBY_SLOTS], n - 1);
        }
}
