/* SPDX-License-Identifier: MIT */
#include "kernel/range.h"

void pby_ranges(int64_t *y, const int64_t *x, size_t n, const int64_t *noise, int64_t reach)
{
    /*@ loop invariant range: i <= n;
        loop invariant rest:  Same{Pre, Here}((int64_t *)x, i, n);
        loop invariant kept:  \forall integer j; 0 <= j < i ==> Reaching(noise[j], reach) ==>
                                y[j] == \at(x[j], Pre) + noise[j];
        loop invariant lost:  \forall integer j; 0 <= j < i ==> !Reaching(noise[j], reach) ==>
                                y[j] == Suppressed;
        loop invariant holds: \forall integer j; 0 <= j < i ==> y[j] != Suppressed ==>
                                -reach <= y[j] && y[j] - reach <= \at(x[j], Pre) <= y[j] + reach <= INT64_MAX;
        loop assigns i, y[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        const int64_t r = noise[i];
        y[i] = -reach <= r && r <= reach ? x[i] + r : PBY_SUPPRESSED;
    }
}
