/* SPDX-License-Identifier: MIT */
#include "join.h"

int64_t join_size(const int64_t *x, size_t n, int64_t threshold, int64_t z)
{
    int64_t size = 0;
    /*@ loop invariant range: i <= n;
        loop invariant size:  size == Size(x, i);
        loop invariant bound: 0 <= size <= i;
        loop assigns i, size;
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        if (x[i] == BOTH)
            size++;
    if (size == 0 || size + z < threshold)
        return SUPPRESSED;
    return size + z;
}
