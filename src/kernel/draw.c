#include "kernel/draw.h"

#include "kernel/cell.h"

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

/* Four searches side by side: each waits for its own loads, and the processor fills the wait with the
 * other three. 1 when all four words are decided; when one is not, the caller draws one by one. */
/*@ requires size:  n <= Pow2(depth);
    requires block: k + 3 <= SIZE_MAX;
    requires valid: \valid_read(t + (0 .. n - 1)) && \valid_read(words + (k .. k + 3));
    requires place: \valid(out + (k .. k + 3));
    requires apart: \separated(out + (k .. k + 3), t + (0 .. n - 1)) &&
                    \separated(out + (k .. k + 3), words + (k .. k + 3));
    requires table: Table(t, n);
    requires fits:  n <= INT64_MAX && first + n - 1 <= INT64_MAX;
    terminates \true;
    assigns out[k .. k + 3];
    ensures status:  \result == 0 || \result == 1;
    ensures draw:    \forall integer j; k <= j < k + 4 ==> out[j] == first + Draw(t, n, words[j]);
    ensures range:   \forall integer j; k <= j < k + 4 ==> first <= out[j] <= first + n - 1;
    ensures decided: \result == 1 ==> \forall integer j; k <= j < k + 4 ==> !Cut(t, n, words[j]);
*/
static inline int pby_draw_four(const uint64_t *t, size_t n, unsigned depth,
                                const uint64_t *words, size_t k, int64_t first, int64_t *out)
{
    const uint64_t u0 = words[k], u1 = words[k + 1], u2 = words[k + 2], u3 = words[k + 3];
    size_t c0 = 0, c1 = 0, c2 = 0, c3 = 0, len = n;
    /*@ loop invariant depth: 0 <= d <= depth;
        loop invariant len:   1 <= len <= Pow2(d);
        loop invariant lane0: Narrowed(t, n, c0, len, u0);
        loop invariant lane1: Narrowed(t, n, c1, len, u1);
        loop invariant lane2: Narrowed(t, n, c2, len, u2);
        loop invariant lane3: Narrowed(t, n, c3, len, u3);
        loop assigns d, len, c0, c1, c2, c3;
        loop variant d; */
    for (unsigned d = depth; d > 0; d--) {
        const size_t half = len / 2;
        /*@ ghost lemma_halved(len, d); */
        c0 = pby_narrow(t, c0, half, u0) /*@ ghost (n, len) */;
        c1 = pby_narrow(t, c1, half, u1) /*@ ghost (n, len) */;
        c2 = pby_narrow(t, c2, half, u2) /*@ ghost (n, len) */;
        c3 = pby_narrow(t, c3, half, u3) /*@ ghost (n, len) */;
        len -= half;
    }
    const int cuts = pby_is_cut(t, c0, u0) /*@ ghost (n) */ + pby_is_cut(t, c1, u1) /*@ ghost (n) */ +
                     pby_is_cut(t, c2, u2) /*@ ghost (n) */ + pby_is_cut(t, c3, u3) /*@ ghost (n) */;
    out[k] = first + (int64_t)c0;
    out[k + 1] = first + (int64_t)c1;
    out[k + 2] = first + (int64_t)c2;
    out[k + 3] = first + (int64_t)c3;
    return cuts == 0;
}

size_t pby_draw_cells(const uint64_t *t, size_t n, unsigned depth,
                      const uint64_t *words, size_t m, int64_t first, int64_t *out)
{
    size_t k = 0;
    /*@ ghost lemma_cut(t, n); */
    /*@ ghost lemma_decided(t, n); */
    /*@ loop invariant range:   k <= m;
        loop invariant draw:    \forall integer j; 0 <= j < k ==> out[j] == first + Draw(t, n, words[j]);
        loop invariant cells:   \forall integer j; 0 <= j < k ==> first <= out[j] <= first + n - 1;
        loop invariant decided: \forall integer j; 0 <= j < k ==> !Cut(t, n, words[j]);
        loop assigns k, out[0 .. m - 1];
        loop variant m - k; */
    while (m - k >= 4 && pby_draw_four(t, n, depth, words, k, first, out))
        k += 4;
    /*@ loop invariant range:   k <= m;
        loop invariant draw:    \forall integer j; 0 <= j < k ==> out[j] == first + Draw(t, n, words[j]);
        loop invariant cells:   \forall integer j; 0 <= j < k ==> first <= out[j] <= first + n - 1;
        loop invariant decided: \forall integer j; 0 <= j < k ==> !Cut(t, n, words[j]);
        loop assigns k, out[0 .. m - 1];
        loop variant m - k; */
    for (; k < m; k++) {
        const uint64_t w = words[k];
        const size_t cell = pby_cell(t, n, depth, w);
        if (pby_is_cut(t, cell, w) /*@ ghost (n) */)
            return k;
        out[k] = first + (int64_t)cell;
    }
    return m;
}
