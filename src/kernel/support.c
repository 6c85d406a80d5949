/* SPDX-License-Identifier: MIT */
#include "kernel/support.h"

void pby_support_row(int64_t *best, int64_t m, const int64_t *depth, size_t n, int64_t from, int64_t stride)
{
    int64_t at = from;
    (void)m;
    /*@ loop invariant range: i <= n;
        loop invariant at:    at == Place(from, stride, i);
        loop invariant near:  -INT32_MAX <= at <= 2 * INT32_MAX;
        loop invariant still: Same{Pre, Here}((int64_t *)depth, 0, n);
        loop invariant value: \forall integer b; 0 <= b < m ==>
                                best[b] == Highest{Pre}(depth, i, from, stride, b, \at(best[b], Pre));
        loop assigns i, at, best[0 .. m - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        /*@ assert inside: 0 <= Place(from, stride, i) < m; */
        /*@ assert next:   Place(from, stride, i + 1) == Place(from, stride, i) + stride; */
        best[at] = best[at] > depth[i] ? best[at] : depth[i];
        at += stride;
    }
}

void pby_support_beyond(int64_t *best, size_t n)
{
    if (n == 0)
        return;
    /*@ assert last: best[n - 1] == Beyond{Pre}(best, n, 1); */
    /*@ loop invariant range: 1 <= v <= n;
        loop invariant rest:  Same{Pre, Here}(best, 0, v - 1);
        loop invariant value: \forall integer w; v - 1 <= w < n ==> best[w] == Beyond{Pre}(best, n, n - w);
        loop assigns v, best[0 .. n - 1];
        loop variant v; */
    for (size_t v = n; v > 1; v--) {
        /*@ assert here: Beyond{Pre}(best, n, n - v + 2) ==
                        \max(best[v - 2], Beyond{Pre}(best, n, n - v + 1)); */
        best[v - 2] = best[v - 2] > best[v - 1] ? best[v - 2] : best[v - 1];
        /*@ assert done: best[v - 2] == Beyond{Pre}(best, n, n - v + 2); */
    }
}

void pby_support_falls(int64_t *fall, const int64_t *best, size_t n, int64_t level)
{
    /*@ loop invariant range: v <= n;
        loop invariant still: Same{Pre, Here}((int64_t *)best, 0, n);
        loop invariant value: \forall integer w; 0 <= w < v ==> fall[w] == Misses{Pre}(best, w, n, level);
        loop assigns v, fall[0 .. n - 1];
        loop variant n - v; */
    for (size_t v = 0; v < n; v++) {
        const int64_t high = v == 0 ? 0 : level - best[v], low = n - v == 1 ? 0 : best[v + 1] + 1 - level;
        const int64_t most = high > low ? high : low;
        fall[v] = most > 0 ? most : 0;
    }
}
