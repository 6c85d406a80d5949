/* SPDX-License-Identifier: MIT */
#include "kernel/rank.h"

void pby_rank_below(int64_t *g, const int64_t *x, size_t n, int64_t m)
{
    int64_t sum = 0;
    /*@ ghost lemma_mass(x, n); */
    /*@ loop invariant range: v <= n;
        loop invariant still: Same{Pre, Here}((int64_t *)x, 0, n);
        loop invariant sum:   sum == Mass{Pre}(x, v);
        loop invariant value: \forall integer w; 0 <= w < v ==> g[w] == m - Mass{Pre}(x, w + 1);
        loop assigns v, sum, g[0 .. n - 1];
        loop variant n - v; */
    for (size_t v = 0; v < n; v++) {
        /*@ assert next: Mass{Pre}(x, v + 1) == Mass{Pre}(x, v) + x[v]; */
        sum += x[v];
        g[v] = m - sum;
    }
}

void pby_rank_ahead(int64_t *g, size_t n, size_t step, int64_t more)
{
    if (step >= n)
        return;
    /*@ loop invariant range: v <= n - step;
        loop invariant small: \forall integer w; 0 <= w < n ==>
                                -2305843009213693952 <= g[w] <= 2305843009213693952 + n - w;
        loop invariant rest:  Same{Pre, Here}(g, 0, v);
        loop invariant value: \forall integer w; v <= w < n ==>
                                g[w] == (w + step < n ? \max(\at(g[w], Pre), g[w + step] + more)
                                                      : \at(g[w], Pre));
        loop assigns v, g[0 .. n - 1];
        loop variant v; */
    for (size_t v = n - step; v > 0; v--) {
        /*@ assert here: \let i = v - 1; g[i] == \at(g[i], Pre) && i + step < n; */
        g[v - 1] = g[v - 1] > g[v - 1 + step] + more ? g[v - 1] : g[v - 1 + step] + more;
        /*@ assert done: \let i = v - 1; g[i] == \max(\at(g[i], Pre), g[i + step] + more); */
        /*@ assert others: \forall integer w; v <= w < n ==> g[w] == \at(g[w], LoopCurrent); */
        /*@ assert ahead:  \forall integer w; v <= w < n ==> w + step < n ==>
                             g[w + step] == \at(g[w + step], LoopCurrent); */
        /*@ assert value:  \forall integer w; v <= w < n ==>
                             g[w] == (w + step < n ? \max(\at(g[w], Pre), g[w + step] + more)
                                                   : \at(g[w], Pre)); */
    }
}

void pby_rank_behind(int64_t *g, size_t n, size_t step, int64_t more)
{
    /*@ loop invariant range: step <= v;
        loop invariant small: \forall integer w; 0 <= w < n ==>
                                -2305843009213693952 <= g[w] <= 2305843009213693952 + w;
        loop invariant rest:  Same{Pre, Here}(g, v, n);
        loop invariant value: \forall integer w; 0 <= w < v ==> w < n ==>
                                g[w] == (step <= w ? \max(\at(g[w], Pre), g[w - step] + more)
                                                   : \at(g[w], Pre));
        loop assigns v, g[0 .. n - 1];
        loop variant n - v; */
    for (size_t v = step; v < n; v++) {
        /*@ assert here: \let i = v; g[i] == \at(g[i], Pre); */
        g[v] = g[v] > g[v - step] + more ? g[v] : g[v - step] + more;
        /*@ assert done:   \let i = v; g[i] == \max(\at(g[i], Pre), g[i - step] + more); */
        /*@ assert others: \forall integer w; 0 <= w < v ==> g[w] == \at(g[w], LoopCurrent); */
        /*@ assert behind: \forall integer w; step <= w < v ==>
                             g[w - step] == \at(g[w - step], LoopCurrent); */
    }
}

void pby_rank_join(int64_t *g, const int64_t *x, size_t n, int64_t more)
{
    /*@ loop invariant range: v <= n;
        loop invariant still: Same{Pre, Here}((int64_t *)x, 0, n);
        loop invariant rest:  Same{Pre, Here}(g, v, n);
        loop invariant value: \forall integer w; 0 <= w < v ==>
                                g[w] == \max(\at(g[w], Pre), \at(x[w], Pre) + more);
        loop assigns v, g[0 .. n - 1];
        loop variant n - v; */
    for (size_t v = 0; v < n; v++)
        g[v] = g[v] > x[v] + more ? g[v] : x[v] + more;
}

void pby_rank_both(int64_t *a, const int64_t *b, size_t n, int64_t cap, int64_t unit)
{
    /*@ loop invariant range: v <= n;
        loop invariant still: Same{Pre, Here}((int64_t *)b, 0, n);
        loop invariant rest:  Same{Pre, Here}(a, v, n);
        loop invariant value: \forall integer w; 0 <= w < v ==>
                                a[w] == Score(\at(a[w], Pre), \at(b[w], Pre), cap, unit);
        loop assigns v, a[0 .. n - 1];
        loop variant n - v; */
    for (size_t v = 0; v < n; v++) {
        const int64_t sum = (a[v] > 0 ? a[v] : 0) + (b[v] > 0 ? b[v] : 0), least = sum < cap ? sum : cap;
        /*@ assert least: least == Missing(a[v], b[v], cap); */
        /*@ assert small: 0 <= least * unit <= INT32_MAX * INT32_MAX; */
        /*@ assert score: least * unit == Score(a[v], b[v], cap, unit); */
        a[v] = least * unit;
    }
}

void pby_rank_rise(int64_t *f, size_t n)
{
    /*@ loop invariant range: 1 <= v;
        loop invariant small: \forall integer i; 0 <= i < n ==> 0 <= f[i] < INT64_MAX;
        loop invariant rest:  Same{Pre, Here}(f, v, n);
        loop invariant value: \forall integer w; 0 <= w < v ==> w < n ==> f[w] == Rising{Pre}(f, w);
        loop assigns v, f[0 .. n - 1];
        loop variant n - v; */
    for (size_t v = 1; v < n; v++) {
        /*@ assert here: Rising{Pre}(f, v) == \min(f[v], Rising{Pre}(f, v - 1) + 1); */
        f[v] = f[v] < f[v - 1] + 1 ? f[v] : f[v - 1] + 1;
    }
}

void pby_rank_fall(int64_t *f, size_t n)
{
    if (n == 0)
        return;
    /*@ assert last: f[n - 1] == Falling{Pre}(f, n, 1); */
    /*@ loop invariant range: 1 <= v <= n;
        loop invariant small: \forall integer i; 0 <= i < n ==> 0 <= f[i] < INT64_MAX;
        loop invariant rest:  Same{Pre, Here}(f, 0, v - 1);
        loop invariant value: \forall integer w; v - 1 <= w < n ==> f[w] == Falling{Pre}(f, n, n - w);
        loop assigns v, f[0 .. n - 1];
        loop variant v; */
    for (size_t v = n; v > 1; v--) {
        /*@ assert here: Falling{Pre}(f, n, n - v + 2) ==
                        \min(f[v - 2], Falling{Pre}(f, n, n - v + 1) + 1); */
        f[v - 2] = f[v - 2] < f[v - 1] + 1 ? f[v - 2] : f[v - 1] + 1;
        /*@ assert done: f[v - 2] == Falling{Pre}(f, n, n - v + 2); */
    }
}
