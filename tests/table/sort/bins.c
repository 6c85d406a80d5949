/* SPDX-License-Identifier: MIT */
#include "table/sort/bins.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/kernel/stream.h"

/* A name whose bytes follow from its size. */
static void fill(uint8_t *name, size_t size)
{
    for (size_t i = 0; i < size; i++)
        name[i] = (uint8_t)(1 + (i * 31 + size) % 255);
}

static void check_row(const pby_bin_row *row, size_t size, int64_t count)
{
    uint8_t *name = malloc(size + 1);
    fill(name, size);
    cr_assert_eq(row->size, size);
    cr_assert_eq(row->count, count);
    cr_assert_arr_eq(row->name, name, size);
    free(name);
}

static void add(pby_bins *bins, size_t bin, size_t size, int64_t count)
{
    uint8_t *name = malloc(size + 1);
    fill(name, size);
    cr_assert_eq(pby_bins_add(bins, bin, name, size, count, NULL), PBY_OK);
    free(name);
}

/* Every size, those that need a chunk or a slab of their own among them, and every size of count. */
Test(bins, rows_come_back_as_they_went_in)
{
    static const size_t large[] = {1000, 1051, 1052, 1053, 5000, 1 << 16, 1 << 20, 3, 1 << 20};
    enum { SMALL = 300, LARGE = sizeof large / sizeof *large };
    const pby_bin_row *rows;
    pby_bins *bins;
    size_t n;
    cr_assert_eq(pby_bins_new(&bins, 3, NULL), PBY_OK);
    for (size_t i = 0; i < SMALL; i++)
        add(bins, 1, i, i % 2 == 0 ? INT64_MAX >> i % 64 : INT64_MIN >> i % 64);
    for (size_t i = 0; i < LARGE; i++)
        add(bins, 1, large[i], -(int64_t)i);
    cr_assert_eq(pby_bins_read(bins, 1, &rows, &n, NULL), PBY_OK);
    cr_assert_eq(n, SMALL + LARGE);
    for (size_t i = 0; i < SMALL; i++)
        check_row(&rows[i], i, i % 2 == 0 ? INT64_MAX >> i % 64 : INT64_MIN >> i % 64);
    for (size_t i = 0; i < LARGE; i++)
        check_row(&rows[SMALL + i], large[i], -(int64_t)i);
    for (size_t bin = 0; bin < 3; bin += 2) {
        cr_assert_eq(pby_bins_read(bins, bin, &rows, &n, NULL), PBY_OK);
        cr_assert_eq(n, 0);
    }
    pby_bins_free(bins);
    pby_bins_free(NULL);
}

/* Rows of many bins come in turns and lie among each other. */
Test(bins, each_row_is_in_its_bin)
{
    enum { BINS = 500, ROWS = 100000 };
    static size_t next[BINS];
    const pby_bin_row *rows;
    pby_bins *bins;
    uint64_t stream = 15;
    size_t sum = 0;
    cr_assert_eq(pby_bins_new(&bins, BINS, NULL), PBY_OK);
    for (size_t i = 0; i < ROWS; i++) {
        const size_t bin = stream_next(&stream) % BINS;
        add(bins, bin, bin % 40, (int64_t)next[bin]++);
    }
    for (size_t bin = 0; bin < BINS; bin++) {
        size_t n;
        cr_assert_eq(pby_bins_read(bins, bin, &rows, &n, NULL), PBY_OK);
        cr_assert_eq(n, next[bin]);
        for (size_t i = 0; i < n; i++)
            check_row(&rows[i], bin % 40, (int64_t)i);
        sum += n;
    }
    cr_assert_eq(sum, ROWS);
    pby_bins_free(bins);
}
