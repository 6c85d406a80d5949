/* SPDX-License-Identifier: MIT */
#include "kernel/silent_halves.h"

#include "kernel/halves.h"
#include "kernel/wide.h"

/*@ terminates \true;
    assigns \nothing;
    ensures lead: \result == Lead(w);
*/
static inline int32_t pby_lead(uint64_t w)
{
    return (int32_t)((int64_t)(w / PBY_HALF_SPAN) - 2147483648);
}

/*@ terminates \true;
    assigns \nothing;
    ensures trail: \result == Trail(w);
*/
static inline int32_t pby_trail(uint64_t w)
{
    return (int32_t)((int64_t)(w % PBY_HALF_SPAN) - 2147483648);
}

PBY_WIDE void pby_silent_split(int32_t *half, const uint64_t *words, size_t m)
{
    /*@ loop invariant range:  i <= m;
        loop invariant first:  \forall integer j; 0 <= j < i ==> half[j] == Lead(words[j]);
        loop invariant second: \forall integer j; m <= j < m + i ==>
                                 half[j] == Trail(words[j - m]);
        loop assigns i, half[0 .. 2 * m - 1];
        loop variant m - i; */
    for (size_t i = 0; i < m; i++) {
        half[i] = pby_lead(words[i]);
        half[m + i] = pby_trail(words[i]);
    }
}

/* Four cuts, t[i] to t[i + 3]: counts in cell[k] those that lead with less than half[k], and in open[k] those
 * that lead with it. */
/*@ requires group: 1 <= i && i + 4 <= n;
    requires valid: \valid_read(t + (0 .. n - 1)) && \valid_read(half + (0 .. m - 1));
    requires place: \valid(cell + (0 .. m - 1)) && \valid(open + (0 .. m - 1));
    requires apart: \separated(cell + (0 .. m - 1), open + (0 .. m - 1), half + (0 .. m - 1),
                               t + (0 .. n - 1));
    requires fits:  n <= INT32_MAX;
    requires known: Counted(cell, open, t, i, half, m);
    terminates \true;
    assigns cell[0 .. m - 1], open[0 .. m - 1];
    ensures counted: Counted(cell, open, t, i + 4, half, m);
*/
static inline void pby_lead_four(const uint64_t *t, size_t i, const int32_t *half, size_t m, int32_t *cell,
                                 int32_t *open)
/*@ ghost (size_t n) */
{
    const int32_t c0 = pby_lead(t[i]), c1 = pby_lead(t[i + 1]), c2 = pby_lead(t[i + 2]),
                  c3 = pby_lead(t[i + 3]);
    /*@ ghost lemma_counted(t, n); */
    /*@ assert passed: \forall integer h; Passed(t, i + 4, h) == Passed(t, i, h) + (c0 < h ? 1 : 0) +
                         (c1 < h ? 1 : 0) + (c2 < h ? 1 : 0) + (c3 < h ? 1 : 0); */
    /*@ assert met: \forall integer h; Met(t, i + 4, h) == Met(t, i, h) + (c0 == h ? 1 : 0) +
                      (c1 == h ? 1 : 0) + (c2 == h ? 1 : 0) + (c3 == h ? 1 : 0); */
    /*@ loop invariant range:   k <= m;
        loop invariant counted: Counted(cell, open, t, i + 4, half, k);
        loop invariant rest:    \forall integer j; k <= j < m ==> cell[j] == Passed(t, i, half[j]) &&
                                  open[j] == Met(t, i, half[j]);
        loop assigns k, cell[0 .. m - 1], open[0 .. m - 1];
        loop variant m - k; */
    for (size_t k = 0; k < m; k++) {
        const int32_t h = half[k];
        int32_t passed = cell[k], met = open[k];
        passed += (int32_t)(c0 < h);
        passed += (int32_t)(c1 < h);
        passed += (int32_t)(c2 < h);
        passed += (int32_t)(c3 < h);
        met += (int32_t)(c0 == h);
        met += (int32_t)(c1 == h);
        met += (int32_t)(c2 == h);
        met += (int32_t)(c3 == h);
        cell[k] = passed;
        open[k] = met;
    }
}

/* Does the work of pby_lead_four for one cut, t[i]. */
/*@ requires cut:   1 <= i < n;
    requires valid: \valid_read(t + (0 .. n - 1)) && \valid_read(half + (0 .. m - 1));
    requires place: \valid(cell + (0 .. m - 1)) && \valid(open + (0 .. m - 1));
    requires apart: \separated(cell + (0 .. m - 1), open + (0 .. m - 1), half + (0 .. m - 1),
                               t + (0 .. n - 1));
    requires fits:  n <= INT32_MAX;
    requires known: Counted(cell, open, t, i, half, m);
    terminates \true;
    assigns cell[0 .. m - 1], open[0 .. m - 1];
    ensures counted: Counted(cell, open, t, i + 1, half, m);
*/
static inline void pby_lead_one(const uint64_t *t, size_t i, const int32_t *half, size_t m, int32_t *cell,
                                int32_t *open)
/*@ ghost (size_t n) */
{
    const int32_t cut = pby_lead(t[i]);
    /*@ ghost lemma_counted(t, n); */
    /*@ assert passed: \forall integer h; Passed(t, i + 1, h) == Passed(t, i, h) + (cut < h ? 1 : 0); */
    /*@ assert met: \forall integer h; Met(t, i + 1, h) == Met(t, i, h) + (cut == h ? 1 : 0); */
    /*@ loop invariant range:   k <= m;
        loop invariant counted: Counted(cell, open, t, i + 1, half, k);
        loop invariant rest:    \forall integer j; k <= j < m ==> cell[j] == Passed(t, i, half[j]) &&
                                  open[j] == Met(t, i, half[j]);
        loop assigns k, cell[0 .. m - 1], open[0 .. m - 1];
        loop variant m - k; */
    for (size_t k = 0; k < m; k++) {
        const int32_t h = half[k];
        cell[k] += (int32_t)(cut < h);
        open[k] += (int32_t)(cut == h);
    }
}

/* The first word of those that lead with ones alone. A cut there and the later ones lead alike. */
#define PBY_TOP_HALF (UINT64_MAX - 4294967295)

PBY_WIDE void pby_silent_halves(const uint64_t *t, size_t n, const int32_t *half, size_t m, int32_t *cell,
                                int32_t *open)
{
    size_t i = 1;
    /*@ loop invariant range: k <= m;
        loop invariant none:  Counted(cell, open, t, 1, half, k);
        loop assigns k, cell[0 .. m - 1], open[0 .. m - 1];
        loop variant m - k; */
    for (size_t k = 0; k < m; k++) {
        cell[k] = 0;
        open[k] = 0;
    }
    /*@ loop invariant range:   1 <= i <= n;
        loop invariant counted: Counted(cell, open, t, i, half, m);
        loop assigns i, cell[0 .. m - 1], open[0 .. m - 1];
        loop variant n - i; */
    for (; n - i >= 4 && t[i - 1] < PBY_TOP_HALF; i += 4)
        pby_lead_four(t, i, half, m, cell, open) /*@ ghost (n) */;
    /*@ loop invariant range:   1 <= i <= n;
        loop invariant counted: Counted(cell, open, t, i, half, m);
        loop assigns i, cell[0 .. m - 1], open[0 .. m - 1];
        loop variant n - i; */
    for (; i < n && t[i - 1] < PBY_TOP_HALF; i++)
        pby_lead_one(t, i, half, m, cell, open) /*@ ghost (n) */;
    /*@ ghost lemma_counted(t, n); lemma_leads(t, n, i); */
    /*@ assert met: \forall integer k; 0 <= k < m ==> half[k] <= 2147483647 &&
                      open[k] == Met(t, i, half[k]); */
    /*@ assert led: \forall integer k; 0 <= k < m && open[k] != 0 ==>
                      \exists integer j; 0 < j < n && Lead(t[j]) == half[k]; */
    /*@ assert none: \forall integer j, k; 0 <= k < m && open[k] == 0 && 0 < j < n ==>
                       Lead(t[j]) != half[k]; */
}

PBY_WIDE int pby_silent_ends(int32_t *at, const int32_t *open, int32_t m)
{
    int32_t first = m - 1, last = 0, count = 0;
    /*@ loop invariant range: 0 <= k <= m;
        loop invariant count: 0 <= count <= k;
        loop invariant first: 0 <= first < m && 0 <= last < m;
        loop invariant none:  count == 0 ==> first == m - 1 && last == 0 &&
                                (\forall integer j; 0 <= j < k ==> open[j] == 0);
        loop invariant some:  count > 0 ==> first <= last < k && open[first] != 0 && open[last] != 0;
        loop invariant ends:  \forall integer j; 0 <= j < k && open[j] != 0 ==> first <= j <= last;
        loop invariant one:   count == 1 ==> first == last;
        loop invariant two:   count == 2 ==> first < last;
        loop invariant all:   count <= 2 ==> Among(open, k, first, last);
        loop invariant more:  count > 2 ==> \exists integer j; first < j < last && open[j] != 0;
        loop assigns k, first, last, count;
        loop variant m - k; */
    for (int32_t k = 0; k < m; k++) {
        const int32_t here = (int32_t)(open[k] != 0);
        const int32_t low = m - 1 - (m - 1 - k) * here, high = k * here;
        /*@ assert low:  low == (open[k] != 0 ? k : m - 1); */
        /*@ assert high: high == (open[k] != 0 ? k : 0); */
        first = low < first ? low : first;
        last = high > last ? high : last;
        count += here;
    }
    at[0] = first;
    at[1] = last;
    return count <= 2;
}

/* The word that leads with a half and has the other digits of w. */
/*@ terminates \true;
    assigns \nothing;
    ensures lead: Lead(\result) == half;
    ensures rest: \result % HalfSpan == w % HalfSpan;
*/
static inline uint64_t pby_joined(int32_t half, uint64_t w)
{
    return (uint64_t)((int64_t)half + 2147483648) * PBY_HALF_SPAN + w % PBY_HALF_SPAN;
}

/* The numbers at two places, out of a look at all. */
/*@ requires places: 0 <= at[0] < m && 0 <= at[1] < m;
    requires valid:  \valid_read(x + (0 .. m - 1)) && \valid_read(at + (0 .. 1));
    requires place:  \valid(pick + (0 .. 1));
    requires apart:  \separated(pick + (0 .. 1), x + (0 .. m - 1)) &&
                     \separated(pick + (0 .. 1), at + (0 .. 1));
    terminates \true;
    assigns pick[0 .. 1];
    ensures pick: pick[0] == x[at[0]] && pick[1] == x[at[1]];
*/
static inline void pby_pick_two(int32_t *pick, const int32_t *x, int32_t m, const int32_t *at)
{
    const int32_t a = at[0], b = at[1];
    int32_t of_a = 0, of_b = 0;
    /*@ loop invariant range:  0 <= k <= m;
        loop invariant first:  of_a == (a < k ? x[a] : 0);
        loop invariant second: of_b == (b < k ? x[b] : 0);
        loop assigns k, of_a, of_b;
        loop variant m - k; */
    for (int32_t k = 0; k < m; k++) {
        of_a += x[k] * (int32_t)(k == a);
        of_b += x[k] * (int32_t)(k == b);
    }
    pick[0] = of_a;
    pick[1] = of_b;
}

PBY_WIDE void pby_silent_lead(uint64_t *word, const int32_t *half, int32_t m, const int32_t *at)
{
    int32_t pick[2] = {0, 0};
    pby_pick_two(pick, half, m, at);
    word[0] = pby_joined(pick[0], word[0]);
    word[1] = pby_joined(pick[1], word[1]);
}

/* Adds what the two cells differ by, and so no compiler makes a branch of it: clang does of a choice. */
PBY_WIDE void pby_silent_values(int64_t *out, const int32_t *cell, int32_t m, int64_t n, int64_t first,
                                const int32_t *at, const int64_t *other)
{
    const int32_t a = at[0], b = at[1];
    int32_t pick[2] = {0, 0};
    (void)n;
    pby_pick_two(pick, cell, m, at);
    const int32_t to_a = (int32_t)other[0] - pick[0];
    const int32_t to_b = (int32_t)other[1] - (pick[1] + to_a * (int32_t)(a == b));
    /*@ loop invariant range:  0 <= k <= m;
        loop invariant value:  \forall integer j; 0 <= j < k && j != a && j != b ==>
                                 out[j] == first + cell[j];
        loop invariant second: b < k ==> out[b] == first + other[1];
        loop invariant first:  a < k && a != b ==> out[a] == first + other[0];
        loop invariant cells:  \forall integer j; 0 <= j < k ==> first <= out[j] <= first + n - 1;
        loop assigns k, out[0 .. m - 1];
        loop variant m - k; */
    for (int32_t k = 0; k < m; k++) {
        const int32_t c = cell[k] + (to_a * (int32_t)(k == a) + to_b * (int32_t)(k == b));
        /*@ assert cell: c == (k == b ? other[1] : k == a ? other[0] : cell[k]); */
        out[k] = first + c;
    }
}
