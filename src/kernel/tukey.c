#include "kernel/tukey.h"

void pby_tukey_table(int64_t *table, const int64_t *x, size_t n, int64_t level)
{
    int64_t sum = 0;
    /*@ ghost lemma_mass(x, n); */
    /*@ loop invariant range: v <= n;
        loop invariant still: Same{Pre, Here}((int64_t *)x, 0, n);
        loop invariant sum:   sum == \min(level, Mass{Pre}(x, n) - Mass{Pre}(x, v));
        loop invariant above: \forall integer w; v <= w < n ==>
                                table[w] == \min(level, Mass{Pre}(x, n) - Mass{Pre}(x, w));
        loop assigns v, sum, table[0 .. n - 1];
        loop variant v; */
    for (size_t v = n; v > 0; v--) {
        /*@ assert next:  Mass{Pre}(x, v) == Mass{Pre}(x, v - 1) + x[v - 1]; */
        /*@ assert count: 0 <= x[v - 1]; */
        sum = x[v - 1] >= level - sum ? level : sum + x[v - 1];
        /*@ assert more: sum == \min(level, Mass{Pre}(x, n) - Mass{Pre}(x, v - 1)); */
        table[v - 1] = sum;
    }
    sum = 0;
    /*@ loop invariant range: v <= n;
        loop invariant still: Same{Pre, Here}((int64_t *)x, 0, n);
        loop invariant sum:   sum == \min(level, Mass{Pre}(x, v));
        loop invariant rest:  \forall integer w; v <= w < n ==>
                                table[w] == \min(level, Mass{Pre}(x, n) - Mass{Pre}(x, w));
        loop invariant value: \forall integer w; 0 <= w < v ==>
                                table[w] == \min(level, \min(Mass{Pre}(x, w + 1),
                                                             Mass{Pre}(x, n) - Mass{Pre}(x, w)));
        loop assigns v, sum, table[0 .. n - 1];
        loop variant n - v; */
    for (size_t v = 0; v < n; v++) {
        /*@ assert next:  Mass{Pre}(x, v + 1) == Mass{Pre}(x, v) + x[v]; */
        /*@ assert count: 0 <= x[v]; */
        sum = x[v] >= level - sum ? level : sum + x[v];
        /*@ assert more: sum == \min(level, Mass{Pre}(x, v + 1)); */
        table[v] = table[v] < sum ? table[v] : sum;
    }
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
