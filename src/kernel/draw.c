/* SPDX-License-Identifier: MIT */
#include "kernel/draw.h"

#include "kernel/cell.h"
#include "kernel/guide.h"

/* 1 when u is a cut, and so does not decide its cell c; else 0. */
/*@ requires valid: \valid_read(t + (0 .. n - 1));
    requires table: Table(t, n);
    requires found: Narrowed(t, n, c, 1, u);
    terminates \true;
    assigns \nothing;
    ensures draw: Draw(t, n, u) == c;
    behavior cut:
      assumes cut: Cut(t, n, u);
      ensures yes: \result == 1;
    behavior decided:
      assumes decided: !Cut(t, n, u);
      ensures no: \result == 0;
    complete behaviors;
    disjoint behaviors;
*/
static inline int pby_is_cut(const uint64_t *t, size_t c, uint64_t u) /*@ ghost (size_t n) */
{
    /*@ ghost lemma_draw_is(t, n, c, u);
              if (c == 0 || t[c] < u) lemma_no_cut(t, n, c, u); */
    return c > 0 && t[c] == u;
}

/* A guess at one comparison: the cell in which the slot of u ends, or the one before it. u is not above
 * it. */
/*@ requires valid: \valid_read(t + (0 .. n - 1)) && \valid_read(g + (0 .. Slots));
    requires table: Table(t, n);
    requires guide: Guide(g, t, n);
    terminates \true;
    assigns \nothing;
    ensures cell:  \result < n;
    ensures above: u < Hi(t, n, \result);
*/
static inline size_t pby_guess(const uint64_t *t, const uint32_t *g, uint64_t u) /*@ ghost (size_t n) */
{
    const size_t s = (size_t)(u / PBY_SPAN);
    /*@ ghost lemma_guided(g, t, n, s, u); */
    const size_t c = g[s + 1];
    return c - (size_t)(t[c] > u);
}

/* Writes the values of four cells. */
/*@ requires block: k + 3 <= SIZE_MAX;
    requires place: \valid(out + (k .. k + 3));
    requires fits:  n <= UINT32_MAX && first + n - 1 <= INT64_MAX;
    requires cells: c0 < n && c1 < n && c2 < n && c3 < n;
    requires draw0: Draw(t, n, words[k]) == c0;
    requires draw1: Draw(t, n, words[k + 1]) == c1;
    requires draw2: Draw(t, n, words[k + 2]) == c2;
    requires draw3: Draw(t, n, words[k + 3]) == c3;
    requires apart: \separated(out + (k .. k + 3), t + (0 .. n - 1)) &&
                    \separated(out + (k .. k + 3), words + (k .. k + 3));
    terminates \true;
    assigns out[k .. k + 3];
    ensures draw:  \forall integer j; k <= j < k + 4 ==> out[j] == first + Draw(t, n, words[j]);
    ensures range: \forall integer j; k <= j < k + 4 ==> first <= out[j] <= first + n - 1;
*/
static inline void pby_place_four(int64_t *out, size_t k, int64_t first, size_t c0, size_t c1, size_t c2,
                                  size_t c3)
/*@ ghost (const uint64_t *t, size_t n, const uint64_t *words) */
{
    out[k] = first + (int64_t)c0;
    out[k + 1] = first + (int64_t)c1;
    out[k + 2] = first + (int64_t)c2;
    out[k + 3] = first + (int64_t)c3;
}

/* Four searches side by side within their slots: each waits for its own loads, and the processor fills the
 * wait with the other three. 1 when all four words are decided; when one is not, the caller draws one by
 * one. */
/*@ requires size:  n <= UINT32_MAX;
    requires block: k + 3 <= SIZE_MAX;
    requires valid: \valid_read(t + (0 .. n - 1)) && \valid_read(words + (k .. k + 3)) &&
                    \valid_read(g + (0 .. Slots));
    requires place: \valid(out + (k .. k + 3));
    requires apart: \separated(out + (k .. k + 3), t + (0 .. n - 1)) &&
                    \separated(out + (k .. k + 3), words + (k .. k + 3)) &&
                    \separated(out + (k .. k + 3), g + (0 .. Slots));
    requires table: Table(t, n);
    requires guide: Guide(g, t, n);
    requires fits:  first + n - 1 <= INT64_MAX;
    terminates \true;
    assigns out[k .. k + 3];
    ensures status:  \result == 0 || \result == 1;
    ensures draw:    \forall integer j; k <= j < k + 4 ==> out[j] == first + Draw(t, n, words[j]);
    ensures range:   \forall integer j; k <= j < k + 4 ==> first <= out[j] <= first + n - 1;
    ensures decided: \result == 1 ==> \forall integer j; k <= j < k + 4 ==> !Cut(t, n, words[j]);
*/
static int pby_search_four(const uint64_t *t, const uint32_t *g, const uint64_t *words, size_t k,
                           int64_t first, int64_t *out) /*@ ghost (size_t n) */
{
    const uint64_t u0 = words[k], u1 = words[k + 1], u2 = words[k + 2], u3 = words[k + 3];
    /*@ assert four: \forall integer j; k <= j < k + 4 ==>
                       words[j] == u0 || words[j] == u1 || words[j] == u2 || words[j] == u3; */
    const size_t s0 = (size_t)(u0 / PBY_SPAN), s1 = (size_t)(u1 / PBY_SPAN);
    const size_t s2 = (size_t)(u2 / PBY_SPAN), s3 = (size_t)(u3 / PBY_SPAN);
    /*@ ghost lemma_guided(g, t, n, s0, u0);
              lemma_guided(g, t, n, s1, u1);
              lemma_guided(g, t, n, s2, u2);
              lemma_guided(g, t, n, s3, u3); */
    size_t c0 = g[s0], c1 = g[s1], c2 = g[s2], c3 = g[s3];
    size_t l0 = g[s0 + 1] - c0 + 1, l1 = g[s1 + 1] - c1 + 1, l2 = g[s2 + 1] - c2 + 1, l3 = g[s3 + 1] - c3 + 1;
    /*@ loop invariant lane0: Narrowed(t, n, c0, l0, u0);
        loop invariant lane1: Narrowed(t, n, c1, l1, u1);
        loop invariant lane2: Narrowed(t, n, c2, l2, u2);
        loop invariant lane3: Narrowed(t, n, c3, l3, u3);
        loop assigns l0, l1, l2, l3, c0, c1, c2, c3;
        loop variant l0 + l1 + l2 + l3; */
    while (l0 + l1 + l2 + l3 > 4) {
        const size_t h0 = l0 / 2, h1 = l1 / 2, h2 = l2 / 2, h3 = l3 / 2;
        c0 = pby_narrow(t, c0, h0, u0) /*@ ghost (n, l0) */;
        c1 = pby_narrow(t, c1, h1, u1) /*@ ghost (n, l1) */;
        c2 = pby_narrow(t, c2, h2, u2) /*@ ghost (n, l2) */;
        c3 = pby_narrow(t, c3, h3, u3) /*@ ghost (n, l3) */;
        l0 -= h0;
        l1 -= h1;
        l2 -= h2;
        l3 -= h3;
    }
    const int cuts = pby_is_cut(t, c0, u0) /*@ ghost (n) */ + pby_is_cut(t, c1, u1) /*@ ghost (n) */ +
                     pby_is_cut(t, c2, u2) /*@ ghost (n) */ + pby_is_cut(t, c3, u3) /*@ ghost (n) */;
    /*@ assert cut0: cuts == 0 ==> !Cut(t, n, u0); */
    /*@ assert cut1: cuts == 0 ==> !Cut(t, n, u1); */
    /*@ assert cut2: cuts == 0 ==> !Cut(t, n, u2); */
    /*@ assert cut3: cuts == 0 ==> !Cut(t, n, u3); */
    pby_place_four(out, k, first, c0, c1, c2, c3) /*@ ghost (t, n, words) */;
    return cuts == 0;
}

/* Four words at once. A word above the left end of its guess is inside that cell, and no cut: that is
 * nearly always so for all four, and then there is nothing to search. */
/*@ requires size:  n <= UINT32_MAX;
    requires block: k + 3 <= SIZE_MAX;
    requires valid: \valid_read(t + (0 .. n - 1)) && \valid_read(words + (k .. k + 3)) &&
                    \valid_read(g + (0 .. Slots));
    requires place: \valid(out + (k .. k + 3));
    requires apart: \separated(out + (k .. k + 3), t + (0 .. n - 1)) &&
                    \separated(out + (k .. k + 3), words + (k .. k + 3)) &&
                    \separated(out + (k .. k + 3), g + (0 .. Slots));
    requires table: Table(t, n);
    requires guide: Guide(g, t, n);
    requires fits:  first + n - 1 <= INT64_MAX;
    terminates \true;
    assigns out[k .. k + 3];
    ensures status:  \result == 0 || \result == 1;
    ensures draw:    \forall integer j; k <= j < k + 4 ==> out[j] == first + Draw(t, n, words[j]);
    ensures range:   \forall integer j; k <= j < k + 4 ==> first <= out[j] <= first + n - 1;
    ensures decided: \result == 1 ==> \forall integer j; k <= j < k + 4 ==> !Cut(t, n, words[j]);
*/
static inline int pby_draw_four(const uint64_t *t, const uint32_t *g, const uint64_t *words, size_t k,
                                int64_t first, int64_t *out) /*@ ghost (size_t n) */
{
    const uint64_t u0 = words[k], u1 = words[k + 1], u2 = words[k + 2], u3 = words[k + 3];
    /*@ assert four: \forall integer j; k <= j < k + 4 ==>
                       words[j] == u0 || words[j] == u1 || words[j] == u2 || words[j] == u3; */
    const size_t c0 = pby_guess(t, g, u0) /*@ ghost (n) */, c1 = pby_guess(t, g, u1) /*@ ghost (n) */;
    const size_t c2 = pby_guess(t, g, u2) /*@ ghost (n) */, c3 = pby_guess(t, g, u3) /*@ ghost (n) */;
    const int inside = (t[c0] < u0) + (t[c1] < u1) + (t[c2] < u2) + (t[c3] < u3);
    if (inside != 4)
        return pby_search_four(t, g, words, k, first, out) /*@ ghost (n) */;
    /*@ ghost lemma_draw_is(t, n, c0, u0); lemma_no_cut(t, n, c0, u0);
              lemma_draw_is(t, n, c1, u1); lemma_no_cut(t, n, c1, u1);
              lemma_draw_is(t, n, c2, u2); lemma_no_cut(t, n, c2, u2);
              lemma_draw_is(t, n, c3, u3); lemma_no_cut(t, n, c3, u3); */
    pby_place_four(out, k, first, c0, c1, c2, c3) /*@ ghost (t, n, words) */;
    return 1;
}

int pby_draw_cells(const uint64_t *t, size_t n, unsigned depth, const uint32_t *g, const uint64_t *words,
                   size_t m, int64_t first, int64_t *out)
{
    size_t k = 0;
    int decided = 1;
    /*@ ghost lemma_cut(t, n); */
    /*@ ghost lemma_decided(t, n); */
    /*@ loop invariant range: k <= m;
        loop invariant drawn: Drawn(out, first, t, n, words, k);
        loop invariant all:   \forall integer j; 0 <= j < k ==> !Cut(t, n, words[j]);
        loop assigns k, out[0 .. m - 1];
        loop variant m - k; */
    while (m - k >= 4 && pby_draw_four(t, g, words, k, first, out) /*@ ghost (n) */)
        k += 4;
    /*@ loop invariant range: k <= m;
        loop invariant drawn: Drawn(out, first, t, n, words, k);
        loop invariant state: decided == 0 || decided == 1;
        loop invariant all:   decided == 1 ==> \forall integer j; 0 <= j < k ==> !Cut(t, n, words[j]);
        loop invariant some:  decided == 0 ==> \exists integer j; 0 <= j < k && Cut(t, n, words[j]);
        loop assigns k, decided, out[0 .. m - 1];
        loop variant m - k; */
    for (; k < m; k++) {
        const uint64_t w = words[k];
        const size_t cell = pby_cell(t, n, depth, w);
        if (pby_is_cut(t, cell, w) /*@ ghost (n) */)
            decided = 0;
        out[k] = first + (int64_t)cell;
    }
    return decided;
}

size_t pby_open(uint32_t *open, const uint64_t *t, size_t n, const uint64_t *words, const int64_t *value,
                size_t m, int64_t first, int64_t lo, int64_t hi)
{
    size_t r = 0;
    (void)n;
    /*@ loop invariant range:  k <= m && r <= k;
        loop invariant rising: Rising(open, r);
        loop invariant open:   \forall integer j; 0 <= j < r ==>
                                 open[j] < k && Open(t, n, words[open[j]], value[open[j]], lo, hi);
        loop invariant all:    \forall integer i; 0 <= i < k && Open(t, n, words[i], value[i], lo, hi) ==>
                                 \exists integer j; 0 <= j < r && open[j] == i;
        loop assigns k, r, open[0 .. m - 1];
        loop variant m - k; */
    for (size_t k = 0; k < m; k++) {
        /*@ ghost lemma_draw_range(t, n, words[k]); */
        const int64_t v = value[k];
        const size_t c = (size_t)(v - first);
        /*@ ghost if (!(t[c] <= words[k] && (c + 1 >= n || words[k] < t[c + 1])))
                    lemma_draw_is_not(t, n, c, words[k]); */
        if (pby_is_cut(t, c, words[k]) /*@ ghost (n) */ || v < lo || hi < v)
            open[r++] = (uint32_t)k;
    }
    return r;
}
