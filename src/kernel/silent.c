/* SPDX-License-Identifier: MIT */
#include "kernel/silent.h"

#include "kernel/wide.h"

/* Four cuts, t[i] to t[i + 3]: takes 1 from out[k] for each that is above words[k], and returns how many are
 * equal to a word. Cut by cut over all words, and not word by word over all cuts, because that is a loop that
 * compilers turn into vectors as it stands. */
/*@ requires group: 1 <= i && i + 4 <= n;
    requires valid: \valid_read(t + (0 .. n - 1)) && \valid_read(words + (0 .. m - 1));
    requires place: \valid(out + (0 .. m - 1));
    requires apart: \separated(out + (0 .. m - 1), t + (0 .. n - 1)) &&
                    \separated(out + (0 .. m - 1), words + (0 .. m - 1));
    requires table: Table(t, n);
    requires fits:  n <= INT64_MAX / 4 && m <= INT64_MAX / 4 && first + n - 1 <= INT64_MAX;
    requires known: Scanned(out, t, n, i, words, m, first);
    terminates \true;
    assigns out[0 .. m - 1];
    ensures scanned: Scanned(out, t, n, i + 4, words, m, first);
    ensures equals:  \result == 0 <==> Missed(t, i, i + 4, words, m);
*/
static inline size_t pby_scan_four(const uint64_t *t, size_t i, const uint64_t *words, size_t m, int64_t *out)
/*@ ghost (size_t n, int64_t first) */
{
    const uint64_t c0 = t[i], c1 = t[i + 1], c2 = t[i + 2], c3 = t[i + 3];
    size_t e0 = 0, e1 = 0, e2 = 0, e3 = 0; /* words equal to each */
    /*@ loop invariant range:   k <= m;
        loop invariant scanned: Scanned(out, t, n, i + 4, words, k, first);
        loop invariant rest:    Same{Pre, Here}(out, k, m);
        loop invariant count:   e0 <= k && e1 <= k && e2 <= k && e3 <= k;
        loop invariant equals0: e0 == 0 <==> Absent(c0, words, k);
        loop invariant equals1: e1 == 0 <==> Absent(c1, words, k);
        loop invariant equals2: e2 == 0 <==> Absent(c2, words, k);
        loop invariant equals3: e3 == 0 <==> Absent(c3, words, k);
        loop assigns k, e0, e1, e2, e3, out[0 .. m - 1];
        loop variant m - k; */
    for (size_t k = 0; k < m; k++) {
        const uint64_t w = words[k];
        int64_t v = out[k];
        /*@ ghost lemma_draw_next(t, n, i, w); lemma_draw_next(t, n, i + 1, w);
                  lemma_draw_next(t, n, i + 2, w); lemma_draw_next(t, n, i + 3, w); */
        v -= (int64_t)(c0 > w);
        v -= (int64_t)(c1 > w);
        v -= (int64_t)(c2 > w);
        v -= (int64_t)(c3 > w);
        out[k] = v;
        e0 += (size_t)(c0 == w);
        e1 += (size_t)(c1 == w);
        e2 += (size_t)(c2 == w);
        e3 += (size_t)(c3 == w);
    }
    return e0 + e1 + e2 + e3;
}

/* Does the work of pby_scan_four for one cut, t[i]. */
/*@ requires cut:   1 <= i < n;
    requires valid: \valid_read(t + (0 .. n - 1)) && \valid_read(words + (0 .. m - 1));
    requires place: \valid(out + (0 .. m - 1));
    requires apart: \separated(out + (0 .. m - 1), t + (0 .. n - 1)) &&
                    \separated(out + (0 .. m - 1), words + (0 .. m - 1));
    requires table: Table(t, n);
    requires fits:  n <= INT64_MAX / 4 && m <= INT64_MAX / 4 && first + n - 1 <= INT64_MAX;
    requires known: Scanned(out, t, n, i, words, m, first);
    terminates \true;
    assigns out[0 .. m - 1];
    ensures scanned: Scanned(out, t, n, i + 1, words, m, first);
    ensures equals:  \result == 0 <==> Missed(t, i, i + 1, words, m);
*/
static inline size_t pby_scan_one(const uint64_t *t, size_t i, const uint64_t *words, size_t m, int64_t *out)
/*@ ghost (size_t n, int64_t first) */
{
    const uint64_t cut = t[i];
    size_t equal = 0;
    /*@ loop invariant range:   k <= m;
        loop invariant scanned: Scanned(out, t, n, i + 1, words, k, first);
        loop invariant rest:    Same{Pre, Here}(out, k, m);
        loop invariant count:   equal <= k;
        loop invariant equals:  equal == 0 <==> Absent(cut, words, k);
        loop assigns k, equal, out[0 .. m - 1];
        loop variant m - k; */
    for (size_t k = 0; k < m; k++) {
        const uint64_t w = words[k];
        /*@ ghost lemma_draw_next(t, n, i, w); */
        out[k] -= (int64_t)(cut > w);
        equal += (size_t)(cut == w);
    }
    return equal;
}

PBY_WIDE int pby_silent_cells(const uint64_t *t, size_t n, const uint64_t *words, size_t m, int64_t first,
                              int64_t *out)
{
    size_t i = 1, met = 0; /* the next cut; scans that met one */
    /*@ ghost lemma_decided(t, n); */
    /*@ loop invariant range: k <= m;
        loop invariant last:  Scanned(out, t, n, 1, words, k, first);
        loop assigns k, out[0 .. m - 1];
        loop variant m - k; */
    for (size_t k = 0; k < m; k++)
        out[k] = first + (int64_t)(n - 1);
    /*@ loop invariant range: 1 <= i <= n;
        loop invariant count: met < i;
        loop invariant known: Scanned(out, t, n, i, words, m, first);
        loop invariant cuts:  met == 0 <==> Missed(t, 1, i, words, m);
        loop assigns i, met, out[0 .. m - 1];
        loop variant n - i; */
    for (; n - i >= 4; i += 4) {
        met += (size_t)(pby_scan_four(t, i, words, m, out) /*@ ghost (n, first) */ != 0);
        /*@ ghost lemma_missed(t, 1, i, i + 4, words, m); */
    }
    /*@ loop invariant range: 1 <= i <= n;
        loop invariant count: met < i;
        loop invariant known: Scanned(out, t, n, i, words, m, first);
        loop invariant cuts:  met == 0 <==> Missed(t, 1, i, words, m);
        loop assigns i, met, out[0 .. m - 1];
        loop variant n - i; */
    for (; i < n; i++) {
        met += (size_t)(pby_scan_one(t, i, words, m, out) /*@ ghost (n, first) */ != 0);
        /*@ ghost lemma_missed(t, 1, i, i + 1, words, m); */
    }
    /*@ ghost
      /@ loop invariant range: k <= m;
         loop invariant cells: \forall integer j; 0 <= j < k ==> first <= out[j] <= first + n - 1;
         loop assigns k;
         loop variant m - k; @/
      for (size_t k = 0; k < m; k++) lemma_draw_range(t, n, words[k]);
    */
    return met == 0;
}

PBY_WIDE void pby_silent_append(int64_t *value, const int64_t *digit, size_t m, int64_t base)
{
    /*@ loop invariant range: k <= m;
        loop invariant value: \forall integer j; 0 <= j < k ==>
                                value[j] == Appended(\at(value[j], Pre), base, digit[j]);
        loop invariant rest:  Same{Pre, Here}(value, k, m);
        loop assigns k, value[0 .. m - 1];
        loop variant m - k; */
    for (size_t k = 0; k < m; k++) {
        const int64_t v = value[k], d = digit[k];
        /*@ assert product: 0 <= v * base <= Widest * 256; */
        value[k] = v * base - (int64_t)(v > 0) * (base - 1 - d);
    }
}

/* A product, and so no branch: tests/timing has looked at what the compilers make of it. */
/*@ requires fits: 0 <= v;
    requires bit:  bit == 0 || bit == 1;
    terminates \true;
    assigns \nothing;
    ensures value: \result == Signed(v, bit);
*/
static inline int64_t pby_signed(int64_t v, uint64_t bit)
{
    return v * (1 - 2 * (int64_t)bit);
}

PBY_WIDE void pby_silent_sign(int64_t *value, size_t m, const uint64_t *bits)
{
    size_t at = 0; /* the first place of a word of bits */
    /*@ loop invariant range: at <= m && (at < m ==> at % 64 == 0);
        loop invariant value: \forall integer j; 0 <= j < at ==>
                        value[j] == Signed(\at(value[j], Pre), Bit(bits, j));
        loop invariant rest:  Same{Pre, Here}(value, at, m);
        loop assigns at, value[0 .. m - 1];
        loop variant m - at; */
    while (at < m) {
        const uint64_t word = bits[at / 64];
        const size_t to = m - at < 64 ? m : at + 64;
        /*@ ghost lemma_shifted(word); */
        /*@ loop invariant range: at <= k <= to;
            loop invariant value: \forall integer j; 0 <= j < k ==>
                            value[j] == Signed(\at(value[j], Pre), Bit(bits, j));
            loop invariant rest:  Same{Pre, Here}(value, k, m);
            loop assigns k, value[0 .. m - 1];
            loop variant to - k; */
        for (size_t k = at; k < to; k++) {
            const uint64_t bit = (word >> (k - at)) % 2;
            /*@ assert place: k / 64 == at / 64 && k % 64 == k - at; */
            /*@ assert bit: bit == Bit(bits, k); */
            value[k] = pby_signed(value[k], bit);
        }
        at = to;
    }
}

void pby_silent_shrink(int64_t *y, const int64_t *x, size_t n, const int64_t *noise)
{
    /*@ loop invariant range: i <= n;
        loop invariant rest:  Same{Pre, Here}((int64_t *)x, i, n);
        loop invariant value: \forall integer j; 0 <= j < i ==> y[j] == Clamped(\at(x[j], Pre) + noise[j]);
        loop assigns i, y[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        const int64_t v = x[i] + noise[i];
        y[i] = v * (int64_t)(v > 0);
    }
}

void pby_silent_perturb(int64_t *y, const int64_t *x, size_t n, const int64_t *noise)
{
    /*@ loop invariant range: i <= n;
        loop invariant rest:  Same{Pre, Here}((int64_t *)x, i, n);
        loop invariant value: \forall integer j; 0 <= j < i ==> y[j] == Saturated(\at(x[j], Pre) + noise[j]);
        loop assigns i, y[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        const int64_t room = INT64_MAX - x[i];
        y[i] = x[i] + (noise[i] < room ? noise[i] : room);
    }
}
