/* SPDX-License-Identifier: MIT */
/* Maps in front of a mechanism, each run on two inputs: what comes out is no further apart than what went in.
 * So what the mechanism's own harness says of inputs at a distance of at most charge holds for it behind the
 * map. There is no noise to align here. */
#include "kernel/contraction.h"

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1));
    requires place: \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1), x + (0 .. n - 1), y + (0 .. n - 1));
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures first:  \forall integer i; 0 <= i < n ==> a[i] == \min(\old(x[i]), limit);
    ensures second: \forall integer i; 0 <= i < n ==> b[i] == \min(\old(y[i]), limit);
    ensures closer: Distance(a, b, n) <= Distance{Pre}(x, y, n);
*/
void contraction_truncate(const int64_t *x, const int64_t *y, size_t n, int64_t limit, int64_t *a, int64_t *b)
{
    pby_truncate(a, x, n, limit);
    pby_truncate(b, y, n, limit);
    /*@ ghost
      /@ loop invariant range:  i <= n;
         loop invariant closer: Distance(a, b, i) <= Distance{Pre}(x, y, i);
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
}

/* For a gate that shows the same bars on both inputs. */
/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) &&
                    \valid_read(gate + (0 .. n - 1));
    requires place: \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1), x + (0 .. n - 1), y + (0 .. n - 1),
                               gate + (0 .. n - 1));
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures first:  \forall integer i; 0 <= i < n ==> a[i] == (gate[i] == Suppressed ? other : \old(x[i]));
    ensures second: \forall integer i; 0 <= i < n ==> b[i] == (gate[i] == Suppressed ? other : \old(y[i]));
    ensures closer: Distance(a, b, n) <= Distance{Pre}(x, y, n);
*/
void contraction_keep(const int64_t *x, const int64_t *y, size_t n, const int64_t *gate, int64_t other,
                      int64_t *a, int64_t *b)
{
    pby_keep(a, x, n, gate, other);
    pby_keep(b, y, n, gate, other);
    /*@ ghost
      /@ loop invariant range:  i <= n;
         loop invariant closer: Distance(a, b, i) <= Distance{Pre}(x, y, i);
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
}

/* A chunk x is gathered into the bars a, and a chunk y into the bars b, by one table. The bars end no further
 * apart than they were, and x and y are, together. From empty bars, chunk by chunk, that is a contraction; a
 * sum that does not fit is refused, and nothing is released. */
/* claims: Thresh/Corollary 2 */
/*@ requires valid: \valid_read(bar + (0 .. m - 1)) && \valid_read(x + (0 .. m - 1)) &&
                    \valid_read(y + (0 .. m - 1));
    requires place: \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1), x + (0 .. m - 1), y + (0 .. m - 1),
                               bar + (0 .. m - 1));
    requires counts: Counts(a, n) && Counts(b, n) && Counts(x, m) && Counts(y, m);
    requires fits:   Room(a, n, bar, x, m) && Room(b, n, bar, y, m);
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures first:  \forall integer i; 0 <= i < n ==> a[i] == \old(a[i]) + Gathered{Pre}(bar, x, m, i);
    ensures second: \forall integer i; 0 <= i < n ==> b[i] == \old(b[i]) + Gathered{Pre}(bar, y, m, i);
    ensures closer: Distance(a, b, n) <= Distance{Pre}(a, b, n) + Distance{Pre}(x, y, m);
*/
void contraction_gather(const size_t *bar, const int64_t *x, const int64_t *y, size_t m, size_t n, int64_t *a,
                        int64_t *b)
{
    /*@ ghost lemma_spread(bar, x, y, m, n); */
    pby_gather(a, n, bar, x, m);
    /*@ assert first: \forall integer i; 0 <= i < n ==>
                    a[i] == \at(a[i], Pre) + Gathered{Pre}(bar, x, m, i); */
    /*@ assert untouched: Same{Pre, Here}(b, 0, n); */
    /*@ ghost
      /@ loop invariant range: i <= m;
         loop invariant still: \forall integer k; Gathered(bar, y, i, k) == Gathered{Pre}(bar, y, i, k);
         loop assigns i;
         loop variant m - i; @/
      for (size_t i = 0; i < m; i++) {}
    */
    /*@ assert fits: Room(b, n, bar, y, m); */
Second:
    pby_gather(b, n, bar, y, m);
    /*@ assert kept: Same{Second, Here}(a, 0, n); */
    /*@ assert second: \forall integer i; 0 <= i < n ==>
                    b[i] == \at(b[i], Pre) + Gathered{Pre}(bar, y, m, i); */
    /*@ ghost
      /@ loop invariant range:  i <= n;
         loop invariant closer: Distance(a, b, i) <= Distance{Pre}(a, b, i) + Spread{Pre}(bar, x, y, m, i);
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
}

/* The hypotheses hold of two bars, one above the limit. */
/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_truncate(void)
{
    const int64_t x[2] = {9, 1}, y[2] = {5, 2};
    int64_t a[2], b[2];
    contraction_truncate(x, y, 2, 6, a, b);
    return (a[0] == 6) * (b[0] == 5) * (a[1] == 1) * (b[1] == 2);
}

/* The hypotheses hold of two bars, one of which the gate hides. */
/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_keep(void)
{
    const int64_t x[2] = {9, 1}, y[2] = {8, 1}, gate[2] = {1, PBY_SUPPRESSED};
    int64_t a[2], b[2];
    contraction_keep(x, y, 2, gate, 0, a, b);
    return (a[0] == 9) * (b[0] == 8) * (a[1] == 0) * (b[1] == 0);
}

/* The hypotheses hold of two counts that go to one bar. */
/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_gather(void)
{
    const size_t bar[2] = {1, 1};
    const int64_t x[2] = {3, 4}, y[2] = {2, 4};
    int64_t a[2] = {0, 0}, b[2] = {0, 0};
    contraction_gather(bar, x, y, 2, 2, a, b);
    return (a[0] == 0) * (b[0] == 0) * (a[1] == 7) * (b[1] == 6);
}
