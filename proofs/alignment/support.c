/* SPDX-License-Identifier: MIT */
/* Depths that are 0 or 1 higher move no threshold's miss by more than 1: as tukey.c says, that is what one
 * record more does to them. There is no noise to align here. */
#include "kernel/support.h"

/*@ requires valid:  \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1));
    requires place:  \valid(a + (0 .. m - 1)) && \valid(b + (0 .. m - 1));
    requires apart:  \separated(a + (0 .. m - 1), b + (0 .. m - 1), x + (0 .. n - 1), y + (0 .. n - 1));
    requires step:   -INT32_MAX <= stride <= INT32_MAX && 0 <= m <= INT32_MAX;
    requires inside: \forall integer i; 0 <= i < n ==> 0 <= Place(from, stride, i) < m;
    requires start:  0 <= from < m;
    requires depths: \forall integer i; 0 <= i < n ==> x[i] <= y[i] <= x[i] + 1;
    requires known:  \forall integer v; 0 <= v < m ==> a[v] <= b[v] <= a[v] + 1;
    terminates \true;
    assigns a[0 .. m - 1], b[0 .. m - 1];
    ensures first:  \forall integer v; 0 <= v < m ==>
                      a[v] == Highest{Pre}(x, n, from, stride, v, \old(a[v]));
    ensures second: \forall integer v; 0 <= v < m ==>
                      b[v] == Highest{Pre}(y, n, from, stride, v, \old(b[v]));
    ensures closer: \forall integer v; 0 <= v < m ==> a[v] <= b[v] <= a[v] + 1;
*/
void contraction_support_row(const int64_t *x, const int64_t *y, size_t n, int64_t m, int64_t from,
                             int64_t stride, int64_t *a, int64_t *b)
{
    /*@ ghost
      /@ loop invariant range:  i <= n;
         loop invariant closer: \forall integer v; 0 <= v < m ==>
                                  Highest{Pre}(x, i, from, stride, v, \at(a[v], Pre)) <=
                                  Highest{Pre}(y, i, from, stride, v, \at(b[v], Pre)) <=
                                  Highest{Pre}(x, i, from, stride, v, \at(a[v], Pre)) + 1;
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
    pby_support_row(a, m, x, n, from, stride);
    /*@ assert untouched: Same{Pre, Here}(b, 0, m) && Same{Pre, Here}((int64_t *)y, 0, n); */
    /*@ ghost
      /@ loop invariant range: i <= n;
         loop invariant still: \forall integer v; 0 <= v < m ==>
                                 Highest(y, i, from, stride, v, b[v]) ==
                                 Highest{Pre}(y, i, from, stride, v, \at(b[v], Pre));
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
    pby_support_row(b, m, y, n, from, stride);
}

/*@ requires place:  \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart:  \separated(a + (0 .. n - 1), b + (0 .. n - 1));
    requires depths: \forall integer v; 0 <= v < n ==> a[v] <= b[v] <= a[v] + 1;
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures first:  \forall integer v; 0 <= v < n ==> a[v] == Beyond{Pre}(a, n, n - v);
    ensures second: \forall integer v; 0 <= v < n ==> b[v] == Beyond{Pre}(b, n, n - v);
    ensures closer: \forall integer v; 0 <= v < n ==> a[v] <= b[v] <= a[v] + 1;
*/
void contraction_support_beyond(size_t n, int64_t *a, int64_t *b)
{
    /*@ ghost
      /@ loop invariant range:  k <= n;
         loop invariant closer: \forall integer j; 1 <= j <= k ==>
                                  Beyond(a, n, j) <= Beyond(b, n, j) <= Beyond(a, n, j) + 1;
         loop assigns k;
         loop variant n - k; @/
      for (size_t k = 0; k < n; k++) {}
    */
    pby_support_beyond(a, n);
    /*@ assert untouched: Same{Pre, Here}(b, 0, n); */
    /*@ ghost
      /@ loop invariant range: k <= n;
         loop invariant still: \forall integer j; 1 <= j <= k ==> Beyond(b, n, j) == Beyond{Pre}(b, n, j);
         loop assigns k;
         loop variant n - k; @/
      for (size_t k = 0; k < n; k++) {}
    */
    pby_support_beyond(b, n);
}

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1));
    requires place: \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1), x + (0 .. n - 1), y + (0 .. n - 1));
    requires level: 0 < level <= INT32_MAX;
    requires range: \forall integer v; 0 <= v < n ==> 0 <= x[v] <= UINT32_MAX && 0 <= y[v] <= UINT32_MAX;
    requires depths: \forall integer v; 0 <= v < n ==> x[v] <= y[v] <= x[v] + 1;
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures first:  \forall integer v; 0 <= v < n ==> a[v] == Misses{Pre}(x, v, n, level);
    ensures second: \forall integer v; 0 <= v < n ==> b[v] == Misses{Pre}(y, v, n, level);
    ensures closer: \forall integer v; 0 <= v < n ==> a[v] - 1 <= b[v] <= a[v] + 1;
*/
void contraction_support_falls(const int64_t *x, const int64_t *y, size_t n, int64_t level, int64_t *a,
                               int64_t *b)
{
    pby_support_falls(a, x, n, level);
    /*@ assert untouched: Same{Pre, Here}((int64_t *)y, 0, n); */
    pby_support_falls(b, y, n, level);
}

/* The hypotheses hold of two points, the second of which lies two places in front of the first. */
/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_support_row(void)
{
    const int64_t x[2] = {1, 3}, y[2] = {2, 3};
    int64_t a[3] = {0, 0, 2}, b[3] = {0, 1, 2};
    contraction_support_row(x, y, 2, 3, 2, -2, a, b);
    return (a[0] == 3) * (a[1] == 0) * (a[2] == 2) * (b[0] == 3) * (b[1] == 1) * (b[2] == 2);
}

/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_support_beyond(void)
{
    int64_t a[3] = {1, 0, 2}, b[3] = {1, 1, 3};
    contraction_support_beyond(3, a, b);
    return (a[0] == 2) * (a[1] == 2) * (a[2] == 2) * (b[0] == 3) * (b[1] == 3) * (b[2] == 3);
}

/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_support_falls(void)
{
    const int64_t x[3] = {3, 2, 0}, y[3] = {3, 3, 1};
    int64_t a[3], b[3];
    contraction_support_falls(x, y, 3, 2, a, b);
    return (a[0] == 1) * (a[1] == 0) * (a[2] == 2) * (b[0] == 2) * (b[1] == 0) * (b[2] == 1);
}
