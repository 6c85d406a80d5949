/* SPDX-License-Identifier: MIT */
#include "kernel/fit.h"

#include "kernel/wide.h"

PBY_WIDE int pby_within(const int64_t *a, size_t n, int64_t lo, int64_t hi)
{
    size_t inside = 0;
    /*@ loop invariant range:  i <= n;
        loop invariant count:  inside <= i;
        loop invariant within: inside == i <==> Within(a, i, lo, hi);
        loop assigns i, inside;
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        const int64_t v = a[i];
        inside += (size_t)(lo <= v) * (size_t)(v <= hi);
    }
    return inside == n;
}

int pby_cells_fit(int64_t first, size_t n)
{
    return 0 < n && n <= UINT32_MAX && first <= INT64_MAX - (int64_t)(n - 1);
}
