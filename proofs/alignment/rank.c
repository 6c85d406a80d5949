/* SPDX-License-Identifier: MIT */
/* One record that goes from a bar to a later one moves no score of a quantile by more than a unit: on the one
 * side 0 or 1 more are missing, on the other 0 or 1 fewer. There is no noise to align here. */
#include "kernel/rank.h"

/* y is x with a record of `from` in the later bar `to`. */
/*@ requires valid:  \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1));
    requires place:  \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart:  \separated(a + (0 .. n - 1), b + (0 .. n - 1), x + (0 .. n - 1), y + (0 .. n - 1));
    requires counts: Counts(x, n) && Counts(y, n) && Mass(x, n) <= INT32_MAX && Mass(y, n) <= INT32_MAX;
    requires rank:   0 <= m <= INT32_MAX;
    requires moved:  from < to < n && y[from] == x[from] - 1 && y[to] == x[to] + 1;
    requires else:   \forall integer i; 0 <= i < n ==> i != from ==> i != to ==> y[i] == x[i];
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures first:  \forall integer v; 0 <= v < n ==> a[v] == m - Mass{Pre}(x, v + 1);
    ensures second: \forall integer v; 0 <= v < n ==> b[v] == m - Mass{Pre}(y, v + 1);
    ensures closer: \forall integer v; 0 <= v < n ==> a[v] <= b[v] <= a[v] + 1;
*/
void contraction_rank_below(const int64_t *x, const int64_t *y, size_t n, int64_t m, size_t from, size_t to,
                            int64_t *a, int64_t *b)
{
    /*@ ghost
      /@ loop invariant range: i <= n;
         loop invariant close: \forall integer k; 0 <= k <= i ==>
                                 Mass(y, k) == Mass(x, k) - (from < k <= to ? 1 : 0);
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
    pby_rank_below(a, x, n, m);
    /*@ ghost
      /@ loop invariant range: i <= n;
         loop invariant still: \forall integer k; 0 <= k <= i ==> Mass(y, k) == Mass{Pre}(y, k);
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
    pby_rank_below(b, y, n, m);
}

/* Values that lack 0 or 1 more on one input still do after a step. */
/*@ requires place:   \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart:   \separated(a + (0 .. n - 1), b + (0 .. n - 1));
    requires range:   Moderate(a, n) && Moderate(b, n) && n <= INT32_MAX && 0 < step && -1 <= more <= 1;
    requires missing: \forall integer v; 0 <= v < n ==> a[v] <= b[v] <= a[v] + 1;
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures first:  \forall integer v; 0 <= v < n ==>
                      a[v] == (v + step < n ? \max(\old(a[v]), a[v + step] + more) : \old(a[v]));
    ensures second: \forall integer v; 0 <= v < n ==>
                      b[v] == (v + step < n ? \max(\old(b[v]), b[v + step] + more) : \old(b[v]));
    ensures closer: \forall integer v; 0 <= v < n ==> a[v] <= b[v] <= a[v] + 1;
*/
void contraction_rank_ahead(size_t n, size_t step, int64_t more, int64_t *a, int64_t *b)
{
    pby_rank_ahead(a, n, step, more);
    /*@ assert untouched: Same{Pre, Here}(b, 0, n); */
Second:
    pby_rank_ahead(b, n, step, more);
    /*@ assert kept: Same{Second, Here}(a, 0, n); */
    /*@ ghost
      /@ loop invariant range:  i <= n;
         loop invariant closer: \forall integer v; i <= v < n ==> a[v] <= b[v] <= a[v] + 1;
         loop assigns i;
         loop variant i; @/
      for (size_t i = n; i > 0; i--) {}
    */
}

/*@ requires place:   \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart:   \separated(a + (0 .. n - 1), b + (0 .. n - 1));
    requires range:   Moderate(a, n) && Moderate(b, n) && n <= INT32_MAX && 0 < step && -1 <= more <= 1;
    requires missing: \forall integer v; 0 <= v < n ==> a[v] <= b[v] <= a[v] + 1;
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures first:  \forall integer v; 0 <= v < n ==>
                      a[v] == (step <= v ? \max(\old(a[v]), a[v - step] + more) : \old(a[v]));
    ensures second: \forall integer v; 0 <= v < n ==>
                      b[v] == (step <= v ? \max(\old(b[v]), b[v - step] + more) : \old(b[v]));
    ensures closer: \forall integer v; 0 <= v < n ==> a[v] <= b[v] <= a[v] + 1;
*/
void contraction_rank_behind(size_t n, size_t step, int64_t more, int64_t *a, int64_t *b)
{
    pby_rank_behind(a, n, step, more);
    /*@ assert untouched: Same{Pre, Here}(b, 0, n); */
Second:
    pby_rank_behind(b, n, step, more);
    /*@ assert kept: Same{Second, Here}(a, 0, n); */
    /*@ ghost
      /@ loop invariant range:  i <= n;
         loop invariant closer: \forall integer v; 0 <= v < i ==> a[v] <= b[v] <= a[v] + 1;
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
}

/*@ requires valid:   \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1));
    requires place:   \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart:   \separated(a + (0 .. n - 1), b + (0 .. n - 1), x + (0 .. n - 1), y + (0 .. n - 1));
    requires range:   Moderate(x, n) && Moderate(y, n) && 0 <= more <= INT32_MAX;
    requires missing: \forall integer v; 0 <= v < n ==> a[v] <= b[v] <= a[v] + 1;
    requires others:  \forall integer v; 0 <= v < n ==> x[v] <= y[v] <= x[v] + 1;
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures first:  \forall integer v; 0 <= v < n ==> a[v] == \max(\old(a[v]), \old(x[v]) + more);
    ensures second: \forall integer v; 0 <= v < n ==> b[v] == \max(\old(b[v]), \old(y[v]) + more);
    ensures closer: \forall integer v; 0 <= v < n ==> a[v] <= b[v] <= a[v] + 1;
*/
void contraction_rank_join(const int64_t *x, const int64_t *y, size_t n, int64_t more, int64_t *a, int64_t *b)
{
    pby_rank_join(a, x, n, more);
    /*@ assert untouched: Same{Pre, Here}(b, 0, n) && Same{Pre, Here}((int64_t *)y, 0, n); */
Second:
    pby_rank_join(b, y, n, more);
    /*@ assert kept: Same{Second, Here}(a, 0, n); */
}

/* a and b are what is missing below, x and y above. */
/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1));
    requires place: \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1), x + (0 .. n - 1), y + (0 .. n - 1));
    requires range: Moderate(a, n) && Moderate(b, n) && Moderate(x, n) && Moderate(y, n);
    requires units: 0 < cap <= INT32_MAX && 0 < unit <= INT32_MAX;
    requires below: \forall integer v; 0 <= v < n ==> a[v] <= b[v] <= a[v] + 1;
    requires above: \forall integer v; 0 <= v < n ==> y[v] <= x[v] <= y[v] + 1;
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures first:  \forall integer v; 0 <= v < n ==> a[v] == Score(\old(a[v]), \old(x[v]), cap, unit);
    ensures second: \forall integer v; 0 <= v < n ==> b[v] == Score(\old(b[v]), \old(y[v]), cap, unit);
    ensures closer: \forall integer v; 0 <= v < n ==> a[v] - unit <= b[v] <= a[v] + unit;
*/
void contraction_rank_both(const int64_t *x, const int64_t *y, size_t n, int64_t cap, int64_t unit,
                           int64_t *a, int64_t *b)
{
    pby_rank_both(a, x, n, cap, unit);
    /*@ assert untouched: Same{Pre, Here}(b, 0, n) && Same{Pre, Here}((int64_t *)y, 0, n); */
    /*@ assert one: \forall integer v; 0 <= v < n ==>
                      a[v] == Score(\at(a[v], Pre), \at(x[v], Pre), cap, unit); */
Second:
    pby_rank_both(b, y, n, cap, unit);
    /*@ assert kept: Same{Second, Here}(a, 0, n); */
    /*@ assert two: \forall integer v; 0 <= v < n ==>
                      b[v] == Score(\at(b[v], Pre), \at(y[v], Pre), cap, unit); */
    /*@ ghost
      /@ loop invariant range:  i <= n;
         loop invariant closer: \forall integer v; 0 <= v < i ==> a[v] - unit <= b[v] <= a[v] + unit;
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {
        /@ assert one: a[i] == Score(\at(a[\at(i, Here)], Pre), \at(x[\at(i, Here)], Pre), cap, unit); @/
        /@ assert two: b[i] == Score(\at(b[\at(i, Here)], Pre), \at(y[\at(i, Here)], Pre), cap, unit); @/
        /@ assert near: \let p = Missing(\at(a[\at(i, Here)], Pre), \at(x[\at(i, Here)], Pre), cap);
                        \let q = Missing(\at(b[\at(i, Here)], Pre), \at(y[\at(i, Here)], Pre), cap);
                        q == p || q == p + 1 || q == p - 1; @/
        /@ assert here: b[i] == a[i] || b[i] == a[i] + unit || b[i] == a[i] - unit; @/
      }
    */
}

/*@ requires place:  \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart:  \separated(a + (0 .. n - 1), b + (0 .. n - 1));
    requires range:  \forall integer i; 0 <= i < n ==> 0 <= a[i] < INT64_MAX && 0 <= b[i] < INT64_MAX;
    requires scores: \forall integer v; 0 <= v < n ==> a[v] - unit <= b[v] <= a[v] + unit;
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures first:  \forall integer v; 0 <= v < n ==> a[v] == Rising{Pre}(a, v);
    ensures second: \forall integer v; 0 <= v < n ==> b[v] == Rising{Pre}(b, v);
    ensures closer: \forall integer v; 0 <= v < n ==> a[v] - unit <= b[v] <= a[v] + unit;
*/
void contraction_rank_rise(size_t n, int64_t unit, int64_t *a, int64_t *b)
{
    /*@ ghost
      /@ loop invariant range:  i <= n;
         loop invariant closer: \forall integer v; 0 <= v < i ==>
                                  Rising(a, v) - unit <= Rising(b, v) <= Rising(a, v) + unit;
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
    pby_rank_rise(a, n);
    /*@ assert untouched: Same{Pre, Here}(b, 0, n); */
    /*@ ghost
      /@ loop invariant range: i <= n;
         loop invariant still: \forall integer v; 0 <= v < i ==> Rising(b, v) == Rising{Pre}(b, v);
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
    pby_rank_rise(b, n);
}

/*@ requires place:  \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart:  \separated(a + (0 .. n - 1), b + (0 .. n - 1));
    requires range:  \forall integer i; 0 <= i < n ==> 0 <= a[i] < INT64_MAX && 0 <= b[i] < INT64_MAX;
    requires scores: \forall integer v; 0 <= v < n ==> a[v] - unit <= b[v] <= a[v] + unit;
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures first:  \forall integer v; 0 <= v < n ==> a[v] == Falling{Pre}(a, n, n - v);
    ensures second: \forall integer v; 0 <= v < n ==> b[v] == Falling{Pre}(b, n, n - v);
    ensures closer: \forall integer v; 0 <= v < n ==> a[v] - unit <= b[v] <= a[v] + unit;
*/
void contraction_rank_fall(size_t n, int64_t unit, int64_t *a, int64_t *b)
{
    /*@ ghost
      /@ loop invariant range:  k <= n;
         loop invariant closer: \forall integer j; 1 <= j <= k ==>
                                  Falling(a, n, j) - unit <= Falling(b, n, j) <= Falling(a, n, j) + unit;
         loop assigns k;
         loop variant n - k; @/
      for (size_t k = 0; k < n; k++) {}
    */
    pby_rank_fall(a, n);
    /*@ assert untouched: Same{Pre, Here}(b, 0, n); */
    /*@ ghost
      /@ loop invariant range: k <= n;
         loop invariant still: \forall integer j; 1 <= j <= k ==> Falling(b, n, j) == Falling{Pre}(b, n, j);
         loop assigns k;
         loop variant n - k; @/
      for (size_t k = 0; k < n; k++) {}
    */
    pby_rank_fall(b, n);
}

/* The hypotheses hold of three bars and a record that goes from the first to the second. */
/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_rank_below(void)
{
    const int64_t x[3] = {1, 0, 2}, y[3] = {0, 1, 2};
    int64_t a[3], b[3];
    contraction_rank_below(x, y, 3, 2, 0, 1, a, b);
    return (a[0] == 1) * (a[1] == 1) * (a[2] == -1) * (b[0] == 2) * (b[1] == 1) * (b[2] == -1);
}

/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_rank_ahead(void)
{
    int64_t a[3] = {1, 1, -1}, b[3] = {2, 1, -1};
    contraction_rank_ahead(3, 1, 1, a, b);
    return (a[0] == 2) * (a[1] == 1) * (a[2] == -1) * (b[0] == 2) * (b[1] == 1) * (b[2] == -1);
}

/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_rank_behind(void)
{
    int64_t a[3] = {1, 1, -1}, b[3] = {2, 1, -1};
    contraction_rank_behind(3, 2, 1, a, b);
    return (a[0] == 1) * (a[1] == 1) * (a[2] == 2) * (b[0] == 2) * (b[1] == 1) * (b[2] == 3);
}

/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_rank_join(void)
{
    const int64_t x[2] = {1, 0}, y[2] = {1, 1};
    int64_t a[2] = {1, 5}, b[2] = {2, 5};
    contraction_rank_join(x, y, 2, 3, a, b);
    return (a[0] == 4) * (a[1] == 5) * (b[0] == 4) * (b[1] == 5);
}

/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_rank_both(void)
{
    const int64_t x[2] = {1, 0}, y[2] = {0, 0};
    int64_t a[2] = {1, -3}, b[2] = {1, -2};
    contraction_rank_both(x, y, 2, 2, 3, a, b);
    return (a[0] == 6) * (a[1] == 0) * (b[0] == 3) * (b[1] == 0);
}

/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_rank_rise(void)
{
    int64_t a[3] = {0, 4, 1}, b[3] = {2, 4, 3};
    contraction_rank_rise(3, 2, a, b);
    return (a[0] == 0) * (a[1] == 1) * (a[2] == 1) * (b[0] == 2) * (b[1] == 3) * (b[2] == 3);
}

/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_rank_fall(void)
{
    int64_t a[3] = {3, 4, 1}, b[3] = {4, 4, 2};
    contraction_rank_fall(3, 2, a, b);
    return (a[0] == 3) * (a[1] == 2) * (a[2] == 1) * (b[0] == 4) * (b[1] == 3) * (b[2] == 2);
}
