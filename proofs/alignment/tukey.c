/* SPDX-License-Identifier: MIT */
/* One record more raises every depth by 0 or 1: along one direction, and in the least over several. So no
 * score max(0, level - depth) moves by more than 1, and all in one direction. There is no noise to align
 * here. */
#include "kernel/tukey.h"

/* y is x with one record more, at `at`. */
/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1));
    requires place: \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1), x + (0 .. n - 1), y + (0 .. n - 1));
    requires counts: Counts(x, n) && Counts(y, n);
    requires level:  0 <= level;
    requires more:   at < n && y[at] == x[at] + 1;
    requires else:   \forall integer i; 0 <= i < n ==> i != at ==> y[i] == x[i];
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures first:  \forall integer v; 0 <= v < n ==> a[v] == Fewer{Pre}(x, n, v, level);
    ensures second: \forall integer v; 0 <= v < n ==> b[v] == Fewer{Pre}(y, n, v, level);
    ensures closer: \forall integer v; 0 <= v < n ==> a[v] <= b[v] <= a[v] + 1;
*/
void contraction_tukey_table(const int64_t *x, const int64_t *y, size_t n, int64_t level, size_t at,
                             int64_t *a, int64_t *b)
{
    /*@ ghost
      /@ loop invariant range: i <= n;
         loop invariant below: \forall integer k; 0 <= k <= i ==> k <= at ==> Mass(y, k) == Mass(x, k);
         loop invariant above: \forall integer k; 0 <= k <= i ==> at < k ==> Mass(y, k) == Mass(x, k) + 1;
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
    pby_tukey_table(a, x, n, level);
    /*@ ghost
      /@ loop invariant range: i <= n;
         loop invariant still: \forall integer k; 0 <= k <= i ==> Mass(y, k) == Mass{Pre}(y, k);
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
    pby_tukey_table(b, y, n, level);
}

/* Depths and tables that are 0 or 1 higher give such depths. */
/*@ requires valid:  \valid_read(x + (0 .. m - 1)) && \valid_read(y + (0 .. m - 1));
    requires place:  \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart:  \separated(a + (0 .. n - 1), b + (0 .. n - 1), x + (0 .. m - 1), y + (0 .. m - 1));
    requires step:   -INT32_MAX <= stride <= INT32_MAX && 0 <= m <= INT32_MAX;
    requires inside: \forall integer i; 0 <= i < n ==> 0 <= Place(from, stride, i) < m;
    requires start:  0 <= from < m;
    requires tables: \forall integer v; 0 <= v < m ==> x[v] <= y[v] <= x[v] + 1;
    requires depths: \forall integer i; 0 <= i < n ==> a[i] <= b[i] <= a[i] + 1;
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures first:  \forall integer i; 0 <= i < n ==>
                      a[i] == \min(\old(a[i]), \old(x[Place(from, stride, i)]));
    ensures second: \forall integer i; 0 <= i < n ==>
                      b[i] == \min(\old(b[i]), \old(y[Place(from, stride, i)]));
    ensures closer: \forall integer i; 0 <= i < n ==> a[i] <= b[i] <= a[i] + 1;
*/
void contraction_tukey_row(const int64_t *x, const int64_t *y, int64_t m, size_t n, int64_t from,
                           int64_t stride, int64_t *a, int64_t *b)
{
    /*@ assert tables: \forall integer i; 0 <= i < n ==>
                    x[Place(from, stride, i)] <= y[Place(from, stride, i)] &&
                    y[Place(from, stride, i)] <= x[Place(from, stride, i)] + 1; */
    pby_tukey_row(a, n, x, m, from, stride);
    /*@ assert untouched: Same{Pre, Here}(b, 0, n) && Same{Pre, Here}((int64_t *)y, 0, m); */
Second:
    pby_tukey_row(b, n, y, m, from, stride);
    /*@ assert kept: Same{Second, Here}(a, 0, n); */
}

/* The hypotheses hold of three bars and a record more in the second. */
/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_tukey_table(void)
{
    const int64_t x[3] = {1, 0, 2}, y[3] = {1, 1, 2};
    int64_t a[3], b[3];
    contraction_tukey_table(x, y, 3, 2, 1, a, b);
    return (a[0] == 1) * (a[1] == 1) * (a[2] == 2) * (b[0] == 1) * (b[1] == 2) * (b[2] == 2);
}

/* The hypotheses hold of two points, the second of which lies two places behind the first. */
/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_tukey_row(void)
{
    const int64_t x[3] = {1, 0, 2}, y[3] = {1, 1, 3};
    int64_t a[2] = {1, 1}, b[2] = {2, 1};
    contraction_tukey_row(x, y, 3, 2, 2, -2, a, b);
    return (a[0] == 1) * (a[1] == 1) * (b[0] == 2) * (b[1] == 1);
}
