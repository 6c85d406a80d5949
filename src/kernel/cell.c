/* SPDX-License-Identifier: MIT */
#include "kernel/cell.h"

int pby_is_table(const uint64_t *t, size_t n)
{
    if (n == 0 || t[0] != 0)
        return 0;
    /*@ loop invariant range:  1 <= i <= n;
        loop invariant sorted: Sorted(t, i);
        loop assigns i;
        loop variant n - i; */
    for (size_t i = 1; i < n; i++)
        if (t[i] < t[i - 1])
            return 0;
    return 1;
}

unsigned pby_depth(size_t n)
{
    size_t p = 1;
    /*@ ghost lemma_pow2_64(); */
    /*@ loop invariant range: 0 <= d <= 64;
        loop invariant power: d < 64 ==> p == Pow2(d);
        loop invariant least: 0 < d ==> Pow2(d - 1) < n;
        loop assigns d, p;
        loop variant 64 - d; */
    for (unsigned d = 0; d < 64; d++) {
        if (n <= p)
            return d;
        if (p > SIZE_MAX / 2)
            return d + 1;
        p *= 2;
    }
    return 64;
}

size_t pby_cell(const uint64_t *t, size_t n, unsigned depth, uint64_t u)
{
    size_t lo = 0, len = n;
    /*@ loop invariant depth:    0 <= d <= depth;
        loop invariant len:      1 <= len <= Pow2(d);
        loop invariant narrowed: Narrowed(t, n, lo, len, u);
        loop assigns d, lo, len;
        loop variant d; */
    for (unsigned d = depth; d > 0; d--) {
        const size_t half = len / 2;
        /*@ ghost lemma_halved(len, d); */
        lo = pby_narrow(t, lo, half, u) /*@ ghost (n, len) */;
        len -= half;
    }
    /*@ ghost lemma_draw_is(t, n, lo, u); */
    /*@ ghost lemma_hits(t, n); */
    return lo;
}
