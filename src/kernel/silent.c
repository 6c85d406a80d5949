#include "kernel/silent.h"

/* Built once for machines with 256-bit compares and once for all others, from this one source: a compiler that
 * can picks the better one when the program is loaded. */
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && !defined(__FRAMAC__)
#define PBY_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define PBY_WIDE
#endif

/* The cells of words[k .. k + 3], by counting the cuts above each; returns how often a cut was equal to one. */
/*@ requires block: k + 3 <= SIZE_MAX;
    requires valid: \valid_read(t + (0 .. n - 1)) && \valid_read(words + (k .. k + 3));
    requires place: \valid(out + (k .. k + 3));
    requires apart: \separated(out + (k .. k + 3), t + (0 .. n - 1)) &&
                    \separated(out + (k .. k + 3), words + (k .. k + 3));
    requires table: Table(t, n);
    requires fits:  n <= INT64_MAX / 4 && first + n - 1 <= INT64_MAX;
    terminates \true;
    assigns out[k .. k + 3];
    ensures draw:   \forall integer j; k <= j < k + 4 ==> out[j] == first + Draw(t, n, words[j]);
    ensures range:  \forall integer j; k <= j < k + 4 ==> first <= out[j] <= first + n - 1;
    ensures equals: \result == 0 <==> (\forall integer j; k <= j < k + 4 ==> !Cut(t, n, words[j]));
*/
static inline size_t pby_scan_four(const uint64_t *t, size_t n, const uint64_t *words, size_t k, int64_t first,
                                    int64_t *out)
{
    const uint64_t u0 = words[k], u1 = words[k + 1], u2 = words[k + 2], u3 = words[k + 3];
    size_t a0 = 0, a1 = 0, a2 = 0, a3 = 0, equal = 0; /* cuts above each word, and equal to any */
    /*@ loop invariant range: 1 <= i <= n;
        loop invariant lane0: a0 < i && i - 1 - a0 == Draw(t, i, u0);
        loop invariant lane1: a1 < i && i - 1 - a1 == Draw(t, i, u1);
        loop invariant lane2: a2 < i && i - 1 - a2 == Draw(t, i, u2);
        loop invariant lane3: a3 < i && i - 1 - a3 == Draw(t, i, u3);
        loop invariant count: equal <= 4 * (i - 1);
        loop invariant equals: equal == 0 <==>
                                 !Cut(t, i, u0) && !Cut(t, i, u1) && !Cut(t, i, u2) && !Cut(t, i, u3);
        loop assigns i, a0, a1, a2, a3, equal;
        loop variant n - i; */
    for (size_t i = 1; i < n; i++) {
        const uint64_t cut = t[i];
        a0 += (size_t)(cut > u0);
        a1 += (size_t)(cut > u1);
        a2 += (size_t)(cut > u2);
        a3 += (size_t)(cut > u3);
        equal += (size_t)(cut == u0) + (size_t)(cut == u1) + (size_t)(cut == u2) + (size_t)(cut == u3);
    }
    out[k] = first + (int64_t)(n - 1 - a0);
    out[k + 1] = first + (int64_t)(n - 1 - a1);
    out[k + 2] = first + (int64_t)(n - 1 - a2);
    out[k + 3] = first + (int64_t)(n - 1 - a3);
    return equal;
}

/* The same for one word. */
/*@ requires valid: \valid_read(t + (0 .. n - 1)) && \valid(out);
    requires table: Table(t, n);
    requires apart: \separated(out, t + (0 .. n - 1));
    requires fits:  n <= INT64_MAX / 4 && first + n - 1 <= INT64_MAX;
    terminates \true;
    assigns *out;
    ensures draw:   *out == first + Draw(t, n, u);
    ensures range:  first <= *out <= first + n - 1;
    ensures equals: \result == 0 <==> !Cut(t, n, u);
*/
static inline size_t pby_scan_one(const uint64_t *t, size_t n, uint64_t u, int64_t first, int64_t *out)
{
    size_t above = 0, equal = 0;
    /*@ loop invariant range: 1 <= i <= n;
        loop invariant lane:  above < i && i - 1 - above == Draw(t, i, u);
        loop invariant count: equal <= i - 1;
        loop invariant equals: equal == 0 <==> !Cut(t, i, u);
        loop assigns i, above, equal;
        loop variant n - i; */
    for (size_t i = 1; i < n; i++) {
        above += (size_t)(t[i] > u);
        equal += (size_t)(t[i] == u);
    }
    *out = first + (int64_t)(n - 1 - above);
    return equal;
}

PBY_WIDE int pby_silent_cells(const uint64_t *t, size_t n, const uint64_t *words, size_t m, int64_t first,
                              int64_t *out)
{
    size_t k = 0;
    int decided = 1;
    /*@ ghost lemma_decided(t, n); */
    /*@ loop invariant range: k <= m;
        loop invariant flag:  decided == 0 || decided == 1;
        loop invariant draw:  \forall integer j; 0 <= j < k ==> out[j] == first + Draw(t, n, words[j]);
        loop invariant cells: \forall integer j; 0 <= j < k ==> first <= out[j] <= first + n - 1;
        loop invariant cuts:  decided == 1 <==> (\forall integer j; 0 <= j < k ==> !Cut(t, n, words[j]));
        loop assigns k, decided, out[0 .. m - 1];
        loop variant m - k; */
    while (m - k >= 4) {
        decided *= (int)(pby_scan_four(t, n, words, k, first, out) == 0);
        k += 4;
    }
    /*@ loop invariant range: k <= m;
        loop invariant flag:  decided == 0 || decided == 1;
        loop invariant draw:  \forall integer j; 0 <= j < k ==> out[j] == first + Draw(t, n, words[j]);
        loop invariant cells: \forall integer j; 0 <= j < k ==> first <= out[j] <= first + n - 1;
        loop invariant cuts:  decided == 1 <==> (\forall integer j; 0 <= j < k ==> !Cut(t, n, words[j]));
        loop assigns k, decided, out[0 .. m - 1];
        loop variant m - k; */
    for (; k < m; k++)
        decided *= (int)(pby_scan_one(t, n, words[k], first, out + k) == 0);
    return decided;
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
        /*@ assert product: -Widest * 256 <= v * base <= Widest * 256; */
        value[k] = v * base + (v < 0 ? base - 1 - d : d);
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
