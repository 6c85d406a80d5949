/* SPDX-License-Identifier: MIT */
#include "kernel/contraction.h"

void pby_truncate(int64_t *y, const int64_t *x, size_t n, int64_t limit)
{
    /*@ loop invariant range: i <= n;
        loop invariant rest:  Same{Pre, Here}((int64_t *)x, i, n);
        loop invariant value: \forall integer j; 0 <= j < i ==> y[j] == \min(\at(x[j], Pre), limit);
        loop assigns i, y[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] < limit ? x[i] : limit;
}

size_t pby_gather(int64_t *y, size_t n, const size_t *bar, const int64_t *counts, size_t m)
{
    /*@ ghost lemma_gathered(bar, counts, m); */
    /*@ loop invariant range: i <= m;
        loop invariant each:  \forall integer b; 0 <= b < n ==>
                                y[b] == \at(y[b], Pre) + Gathered{Pre}(bar, counts, i, b);
        loop assigns i, y[0 .. n - 1];
        loop variant m - i; */
    for (size_t i = 0; i < m; i++) {
        const size_t b = bar[i];
        if (b >= n)
            continue;
        /*@ assert next: Gathered{Pre}(bar, counts, i + 1, b) ==
                        Gathered{Pre}(bar, counts, i, b) + counts[i]; */
        if (y[b] > INT64_MAX - counts[i])
            return i;
        y[b] += counts[i];
    }
    return m;
}

void pby_keep(int64_t *y, const int64_t *x, size_t n, const int64_t *gate, int64_t other)
{
    /*@ loop invariant range: i <= n;
        loop invariant rest:  Same{Pre, Here}((int64_t *)x, i, n);
        loop invariant value: \forall integer j; 0 <= j < i ==>
                                y[j] == (gate[j] == Suppressed ? other : \at(x[j], Pre));
        loop assigns i, y[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        y[i] = gate[i] == PBY_SUPPRESSED ? other : x[i];
}

void pby_prefer(int64_t *y, const int64_t *x, size_t n, const _Bool *kept)
{
    /*@ loop invariant range: i <= n;
        loop invariant rest:  Same{Pre, Here}(y, i, n);
        loop invariant value: \forall integer j; 0 <= j < i ==> y[j] == (kept[j] ? x[j] : \at(y[j], Pre));
        loop assigns i, y[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        y[i] = kept[i] ? x[i] : y[i];
}
