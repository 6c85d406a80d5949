/* SPDX-License-Identifier: MIT */
#include "table/sort/sort_order.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/kernel/stream.h"

enum { LONGEST = 64, SHAPES = 5 };

/* Names that differ, in several shapes: numbers, few letters, any byte but NUL, far behind a common
 * beginning, and each the beginning of the next ones. */
static size_t name_of(uint8_t *name, int shape, uint64_t number)
{
    if (shape == 0)
        return (size_t)sprintf((char *)name, "%llu", (unsigned long long)number * 7919 % 1000003);
    if (shape == 3)
        return (size_t)sprintf((char *)name, "a common beginning of many bytes/%08llx",
                               (unsigned long long)number * 40503);
    if (shape == 4) {
        const size_t tail = number / (LONGEST - 8);
        memset(name, 'x', number % (LONGEST - 8) + 1);
        return number % (LONGEST - 8) + 1 +
               (size_t)(tail == 0 ? 0 : sprintf((char *)name + number % (LONGEST - 8) + 1, "%zu", tail));
    }
    size_t size = 0;
    for (uint64_t rest = number + 1; rest > 0; rest /= shape == 1 ? 2 : 255)
        name[size++] = (uint8_t)(shape == 1 ? 'a' + rest % 2 : 1 + rest % 255);
    return size;
}

static int compare(const void *a, const void *b)
{
    const pby_bin_row *x = a, *y = b;
    const int order = memcmp(x->name, y->name, x->size < y->size ? x->size : y->size);
    return order != 0 ? order : (x->size > y->size) - (x->size < y->size);
}

/* The rows shuffled, sorted here, and sorted by the C library. */
static void check(pby_bin_row *rows, size_t n, size_t common, uint64_t *stream)
{
    uint64_t *order = calloc(n, sizeof *order), *spare = calloc(n, sizeof *spare);
    pby_bin_row *sorted = calloc(n, sizeof *sorted);
    for (size_t i = n; i-- > 1;) {
        const size_t j = stream_next(stream) % (i + 1);
        const pby_bin_row held = rows[i];
        rows[i] = rows[j];
        rows[j] = held;
    }
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    pby_passed_sort(order, spare, n, rows, common);
    memcpy(sorted, rows, n * sizeof *rows);
    qsort(sorted, n, sizeof *sorted, compare);
    for (size_t i = 0; i < n; i++)
        cr_assert_eq(rows[order[i]].count, sorted[i].count, "row %zu of %zu", i, n);
    free(sorted);
    free(spare);
    free(order);
}

Test(passed_sort, every_row_in_its_place)
{
    enum { N = 100000 };
    static const size_t sizes[] = {1, 2, 12, 13, 100, 3000, N};
    static uint8_t names[N][LONGEST];
    static pby_bin_row rows[N];
    uint64_t stream = 8;
    for (int shape = 0; shape < SHAPES; shape++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            for (size_t i = 0; i < sizes[k]; i++)
                rows[i] = (pby_bin_row){names[i], name_of(names[i], shape, i), (int64_t)i};
            check(rows, sizes[k], shape == 3 ? 10 : 0, &stream);
        }
}

/* Each name begins all that follow it: sorting does not nest as deep as names are long. */
Test(passed_sort, names_that_begin_each_other)
{
    enum { N = 100000 };
    static uint8_t name[N];
    static pby_bin_row rows[N];
    uint64_t stream = 9;
    memset(name, 'x', sizeof name);
    for (size_t i = 0; i < N; i++)
        rows[i] = (pby_bin_row){name, i, (int64_t)i};
    check(rows, N / 20, 0, &stream);
}
