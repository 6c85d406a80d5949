/* SPDX-License-Identifier: MIT */
#include "base/sorted.h"

int pby_compare_int64(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int pby_compare_uint64(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static size_t below(const void *sorted, size_t n, size_t size, const void *x,
                    int (*compare)(const void *, const void *))
{
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare((const char *)sorted + middle * size, x) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t pby_sorted_below_int64(const int64_t *sorted, size_t n, int64_t x)
{
    return below(sorted, n, sizeof *sorted, &x, pby_compare_int64);
}

size_t pby_sorted_below_uint64(const uint64_t *sorted, size_t n, uint64_t x)
{
    return below(sorted, n, sizeof *sorted, &x, pby_compare_uint64);
}
