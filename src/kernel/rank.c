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

void pby_rank_above(int64_t *g, const int64_t *x, size_t n, int64_t m)
{
    int64_t sum = 0;
    /*@ ghost lemma_mass(x, n); */
    /*@ loop invariant range: v <= n;
        loop invariant still: Same{Pre, Here}((int64_t *)x, 0, n);
        loop invariant sum:   sum == Mass{Pre}(x, n) - Mass{Pre}(x, v);
        loop invariant value: \forall integer w; v <= w < n ==>
                                g[w] == m - (Mass{Pre}(x, n) - Mass{Pre}(x, w));
        loop assigns v, sum, g[0 .. n - 1];
        loop variant v; */
    for (size_t v = n; v > 0; v--) {
        /*@ assert next: Mass{Pre}(x, v) == Mass{Pre}(x, v - 1) + x[v - 1]; */
        sum += x[v - 1];
        g[v - 1] = m - sum;
    }
}

void pby_rank_ahead(int64_t *g, size_t n, size_t shift, int64_t more)
{
    if (shift >= n)
        return;
    /*@ loop invariant range: v <= n - shift;
        loop invariant rest:  Same{Pre, Here}(g, v, n);
        loop invariant value: \forall integer w; 0 <= w < v ==>
                                g[w] == \max(\at(g[w], Pre), \at(g[w + shift], Pre) + more);
        loop assigns v, g[0 .. n - 1];
        loop variant n - v; */
    for (size_t v = 0; v < n - shift; v++)
        g[v] = g[v] > g[v + shift] + more ? g[v] : g[v + shift] + more;
}

void pby_rank_behind(int64_t *g, size_t n, size_t shift, int64_t more)
{
    if (shift >= n)
        return;
    /*@ loop invariant range: shift <= v <= n;
        loop invariant rest:  Same{Pre, Here}(g, 0, v);
        loop invariant value: \forall integer w; v <= w < n ==>
                                g[w] == \max(\at(g[w], Pre), \at(g[w - shift], Pre) + more);
        loop assigns v, g[0 .. n - 1];
        loop variant v; */
    for (size_t v = n; v > shift; v--)
        g[v - 1] = g[v - 1] > g[v - 1 - shift] + more ? g[v - 1] : g[v - 1 - shift] + more;
}

void pby_rank_both(int64_t *a, const int64_t *b, size_t n, int64_t cap, int64_t unit)
{
    /*@ loop invariant range: v <= n;
        loop invariant still: Same{Pre, Here}((int64_t *)b, 0, n);
        loop invariant rest:  Same{Pre, Here}(a, v, n);
        loop invariant value: \forall integer w; 0 <= w < v ==>
                                a[w] == \min(cap, \max(0, \at(a[w], Pre)) + \max(0, \at(b[w], Pre))) * unit;
        loop assigns v, a[0 .. n - 1];
        loop variant n - v; */
    for (size_t v = 0; v < n; v++) {
        const int64_t sum = (a[v] > 0 ? a[v] : 0) + (b[v] > 0 ? b[v] : 0), least = sum < cap ? sum : cap;
        /*@ assert small: 0 <= least * unit <= INT32_MAX * INT32_MAX; */
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
    }
}
