/* SPDX-License-Identifier: MIT */
#include "kernel/sparse.h"

size_t pby_above(const int64_t *x, const int64_t *z, size_t from, size_t n, int64_t t)
{
    size_t i = from;
    /*@ loop invariant range: from <= i <= n;
        loop invariant below: Under(x, z, from, i, t);
        loop assigns i;
        loop variant n - i; */
    while (i < n && !pby_reaches(x[i], z[i], t))
        i++;
    return i;
}

size_t pby_sparse(size_t *at, const int64_t *x, const int64_t *z, size_t n, const int64_t *t, size_t c)
{
    size_t from = 0;
    /*@ loop invariant range: j <= c && from <= n;
        loop invariant from:  from == From(at, j);
        loop invariant place: \forall integer k; 0 <= k < j ==> From(at, k) <= at[k] < n;
        loop invariant below: \forall integer k; 0 <= k < j ==> Under(x, z, From(at, k), at[k], t[k]);
        loop invariant above: \forall integer k; 0 <= k < j ==> t[k] <= x[at[k]] + z[at[k]];
        loop assigns j, from, at[0 .. c - 1];
        loop variant c - j; */
    for (size_t j = 0; j < c; j++) {
        const size_t i = pby_above(x, z, from, n, t[j]);
        if (i == n)
            return j;
        at[j] = i;
        from = i + 1;
    }
    return c;
}
