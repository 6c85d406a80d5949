/* SPDX-License-Identifier: MIT */
#include "count.h"

int64_t truncated_count(const int64_t *x, size_t n, int64_t z)
{
    int64_t total = 0;
    /*@ loop invariant range: i <= n;
        loop invariant total: total == Total(x, i);
        loop invariant bound: 0 <= total <= i * LIMIT;
        loop assigns i, total;
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        total += x[i] < 0 ? 0 : x[i] < LIMIT ? x[i] : LIMIT;
    return total + z;
}
