/* SPDX-License-Identifier: MIT */
#include "kernel/tukey.h"

pby_tukey_span pby_tukey_table(int64_t *table, const int64_t *x, size_t n, int64_t level)
{
    size_t lo = 0, hi = n;
    int64_t sum = 0;
    /*@ ghost lemma_mass_rises(x, n); */
    /*@ loop invariant range: lo <= n;
        loop invariant still: Same{Pre, Here}((int64_t *)x, 0, n);
        loop invariant sum:   0 <= sum == Mass{Pre}(x, lo) <= level;
        loop invariant below: \forall integer w; 0 <= w < lo ==> table[w] == Mass{Pre}(x, w + 1);
        loop assigns lo, sum, table[0 .. n - 1];
        loop variant n - lo; */
    while (lo < n && x[lo] < level - sum) {
        /*@ assert next: Mass{Pre}(x, lo + 1) == Mass{Pre}(x, lo) + x[lo]; */
        /*@ assert count: 0 <= x[lo]; */
        sum += x[lo];
        table[lo] = sum;
        lo++;
    }
    /*@ assert next:  lo < n ==> Mass{Pre}(x, lo + 1) == Mass{Pre}(x, lo) + x[lo]; */
    /*@ assert first: \forall integer w; lo <= w < n ==> level <= Mass{Pre}(x, w + 1); */
    /*@ assert small: \forall integer w; 0 <= w < lo ==> Mass{Pre}(x, w + 1) <= level; */
    sum = 0;
    /*@ loop invariant range: lo <= hi <= n;
        loop invariant still: Same{Pre, Here}((int64_t *)x, 0, n);
        loop invariant sum:   0 <= sum == Mass{Pre}(x, n) - Mass{Pre}(x, hi) <= level;
        loop invariant below: \forall integer w; 0 <= w < lo ==> table[w] == Mass{Pre}(x, w + 1);
        loop invariant above: \forall integer w; hi <= w < n ==> table[w] == Fewer{Pre}(x, n, w, level);
        loop assigns hi, sum, table[0 .. n - 1];
        loop variant hi; */
    while (hi > lo && x[hi - 1] < level - sum) {
        /*@ assert next: Mass{Pre}(x, hi) == Mass{Pre}(x, hi - 1) + x[hi - 1]; */
        /*@ assert count: 0 <= x[hi - 1]; */
        hi--;
        sum += x[hi];
        table[hi] = sum;
    }
    /*@ assert next: lo < hi ==> Mass{Pre}(x, hi) == Mass{Pre}(x, hi - 1) + x[hi - 1]; */
    /*@ assert last: \forall integer w; lo < hi ==> 0 <= w < hi ==>
                       level <= Mass{Pre}(x, n) - Mass{Pre}(x, w); */
    size_t v = lo;
    /*@ loop invariant range: v <= lo;
        loop invariant still: Same{Pre, Here}((int64_t *)x, 0, n);
        loop invariant sum:   lo == hi ==> 0 <= sum == Mass{Pre}(x, n) - Mass{Pre}(x, v) <= level;
        loop invariant whole: lo < hi ==> v == lo;
        loop invariant below: \forall integer w; 0 <= w < v ==> table[w] == Mass{Pre}(x, w + 1);
        loop invariant among: \forall integer w; v <= w < lo ==> table[w] == Fewer{Pre}(x, n, w, level);
        loop invariant above: \forall integer w; hi <= w < n ==> table[w] == Fewer{Pre}(x, n, w, level);
        loop assigns v, sum, table[0 .. n - 1];
        loop variant v; */
    while (lo == hi && v > 0 && x[v - 1] < level - sum) {
        /*@ assert next: Mass{Pre}(x, v) == Mass{Pre}(x, v - 1) + x[v - 1]; */
        /*@ assert count: 0 <= x[v - 1]; */
        v--;
        sum += x[v];
        table[v] = table[v] < sum ? table[v] : sum;
    }
    /*@ assert next: 0 < v ==> Mass{Pre}(x, v) == Mass{Pre}(x, v - 1) + x[v - 1]; */
    /*@ assert rest: \forall integer w; 0 <= w < v ==> level <= Mass{Pre}(x, n) - Mass{Pre}(x, w); */
    /*@ assert below: \forall integer w; 0 <= w < lo ==> table[w] == Fewer{Pre}(x, n, w, level); */
    /*@ loop invariant range: lo <= i && (lo < hi ==> i <= hi);
        loop invariant below: \forall integer w; 0 <= w < lo ==> table[w] == Fewer{Pre}(x, n, w, level);
        loop invariant among: \forall integer w; lo <= w < i ==> table[w] == level;
        loop invariant above: \forall integer w; hi <= w < n ==> table[w] == Fewer{Pre}(x, n, w, level);
        loop assigns i, table[0 .. n - 1];
        loop variant hi - i; */
    for (size_t i = lo; i < hi; i++)
        table[i] = level;
    return (pby_tukey_span){lo, hi};
}

void pby_tukey_row(int64_t *depth, size_t n, const int64_t *table, int64_t m, int64_t from, int64_t stride)
{
    int64_t at = from;
    (void)m;
    /*@ loop invariant range: i <= n;
        loop invariant at:    at == Place(from, stride, i);
        loop invariant near:  -INT32_MAX <= at <= 2 * INT32_MAX;
        loop invariant still: Same{Pre, Here}((int64_t *)table, 0, m);
        loop invariant rest:  Same{Pre, Here}(depth, i, n);
        loop invariant value: \forall integer j; 0 <= j < i ==>
                                depth[j] == \min(\at(depth[j], Pre), \at(table[Place(from, stride, j)], Pre));
        loop assigns i, at, depth[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        /*@ assert inside: 0 <= Place(from, stride, i) < m; */
        /*@ assert next:   Place(from, stride, i + 1) == Place(from, stride, i) + stride; */
        depth[i] = depth[i] < table[at] ? depth[i] : table[at];
        at += stride;
    }
}
