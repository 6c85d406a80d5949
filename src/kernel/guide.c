/* SPDX-License-Identifier: MIT */
#include "kernel/guide.h"

void pby_guide(uint32_t *g, const uint64_t *t, size_t n)
{
    size_t c = 0;
    /*@ loop invariant range: s <= Slots;
        loop invariant cell:  c < n && (0 < s ==> t[c] <= (s - 1) * Span) && (s == 0 ==> c == 0);
        loop invariant guide: \forall integer j; 0 <= j < s ==> Narrowed(t, n, g[j], 1, j * Span);
        loop assigns s, c, g[0 .. Slots - 1];
        loop variant Slots - s; */
    for (size_t s = 0; s < PBY_SLOTS; s++) {
        const uint64_t begin = s * PBY_SPAN;
        /*@ loop invariant cell: c < n && t[c] <= begin;
            loop assigns c;
            loop variant n - c; */
        while (c + 1 < n && t[c + 1] <= begin)
            c++;
        g[s] = (uint32_t)c;
    }
    g[PBY_SLOTS] = (uint32_t)(n - 1);
}
