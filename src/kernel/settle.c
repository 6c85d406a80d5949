/* SPDX-License-Identifier: MIT */
#include "kernel/settle.h"

int pby_beyond(int64_t *value, int64_t lo, int64_t hi, int64_t beyond)
{
    const int below = *value < lo;
    if (beyond < 0 || (below ? lo < INT64_MIN + 1 + beyond : hi > INT64_MAX - 1 - beyond))
        return 0;
    *value = below ? lo - 1 - beyond : hi + 1 + beyond;
    return 1;
}

void pby_put(int64_t *value, size_t m, const uint32_t *open, const int64_t *settled, size_t r)
{
    (void)m;
    /*@ loop invariant range: j <= r;
        loop invariant put:   \forall integer i; 0 <= i < j ==> value[open[i]] == settled[i];
        loop invariant rest:  \forall integer k; 0 <= k < m &&
                                (\forall integer i; 0 <= i < j ==> open[i] != k) ==>
                                  value[k] == \at(value[k], Pre);
        loop assigns j, value[0 .. m - 1];
        loop variant r - j; */
    for (size_t j = 0; j < r; j++)
        value[open[j]] = settled[j];
}
