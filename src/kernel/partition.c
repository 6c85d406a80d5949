/* SPDX-License-Identifier: MIT */
#include "kernel/partition.h"

size_t pby_present(int64_t *y, const int64_t *x, size_t n, const int64_t *noise, int64_t bound)
{
    (void)bound; /* the contract's, not the code's */
    size_t s = 0;
    /*@ ghost lemma_support(x, n); */
    /*@ loop invariant range: i <= n;
        loop invariant used:  s == Support{Pre}(x, i) <= i;
        loop invariant rest:  Same{Pre, Here}((int64_t *)x, i, n);
        loop invariant empty: \forall integer j; 0 <= j < i ==> \at(x[j], Pre) == 0 ==> y[j] == Suppressed;
        loop invariant shown: \forall integer j; 0 <= j < i ==> \at(x[j], Pre) > 0 ==>
                                y[j] == (\at(x[j], Pre) + noise[Support{Pre}(x, j)] > 0 ? 1 : Suppressed);
        loop invariant certain: \forall integer j; 0 <= j < i ==> \at(x[j], Pre) > bound ==> y[j] == 1;
        loop assigns i, s, y[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        const int64_t c = x[i];
        if (c == 0) {
            y[i] = PBY_SUPPRESSED;
            continue;
        }
        y[i] = c + noise[s] > 0 ? 1 : PBY_SUPPRESSED;
        s++;
    }
    return s;
}
