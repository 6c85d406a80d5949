/* SPDX-License-Identifier: MIT */
/* Wrong: NumericSparse at the rates that [Survey]'s Algorithm 7 prints, for one positive answer. In units of
 * epsilon/18 the threshold has noise of rate 8, an answer of rate 4, and the value fresh noise of rate 261,
 * because 29 epsilon stands where 2/9 epsilon is meant: a rate of 2. The alignment moves the noise of the
 * value by as much as the answer moved, and all of it together costs more than 18 for each of d. */
#include "kernel/sparse.h"
#include "proofs/alignment/noise.h"

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(z + (0 .. n - 1)) && \valid(value);
    requires apart: \separated(value, x + (0 .. n - 1)) && \separated(value, z + (0 .. n - 1));
    requires fits:  \forall integer i; 0 <= i < n ==> INT64_MIN <= x[i] + fresh <= INT64_MAX;
    terminates \true;
    assigns *value;
    ensures range: 0 <= \result <= n;
    ensures below: Under(x, z, 0, \result, t);
    ensures above: \result < n ==> t <= x[\result] + z[\result] && *value == x[\result] + fresh;
*/
static size_t wrong_numeric(int64_t *value, const int64_t *x, const int64_t *z, size_t n, int64_t t,
                            int64_t fresh)
{
    const size_t k = pby_above(x, z, 0, n, t);
    if (k < n)
        *value = x[k] + fresh;
    return k;
}

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) &&
                    \valid_read(z + (0 .. n - 1)) && \valid_read(w + (0 .. n - 1));
    requires place: \valid(a) && \valid(b);
    requires apart: \separated(a, b, x + (0 .. n - 1), y + (0 .. n - 1), z + (0 .. n - 1), w + (0 .. n - 1));
    requires fits:      0 <= d <= INT32_MAX && t <= INT64_MAX - d && \forall integer i; 0 <= i < n ==>
                          INT64_MIN <= x[i] + u <= INT64_MAX && INT64_MIN <= y[i] + v <= INT64_MAX;
    requires first:     k < n && Under(x, z, 0, k, t) && t <= x[k] + z[k];
    requires aligned:   v == u + x[k] - y[k] &&
                        \forall integer i; 0 <= i < n ==> w[i] == z[i] + (i == k ? 2 * d : 0);
    requires neighbour: Near(x, y, n, d);
    terminates \true;
    assigns *a, *b;
    ensures first:  *a == x[k] + u;
    ensures second: *b == y[k] + v;
    ensures same:   *a == *b;
    ensures place:  8 * d + 4 * Distance(z, w, n) <= 16 * d;
    ensures value:  Apart(u, v) <= d;
    ensures cost:   8 * d + 4 * Distance(z, w, n) + 261 * Apart(u, v) <= 18 * d;
*/
void align_wrong_numeric(int64_t *a, int64_t *b, const int64_t *x, const int64_t *y, const int64_t *z,
                         const int64_t *w, size_t n, int64_t t, int64_t d, size_t k, int64_t u, int64_t v)
{
    (void)k; /* the contract's, not the code's */
    const size_t i = wrong_numeric(a, x, z, n, t, u);
    /*@ assert place: i == k; */
    /*@ assert near: x[k] - d <= y[k] <= x[k] + d; */
    /*@ assert reached: t + d <= y[k] + w[k]; */
    /*@ assert still: \forall integer l; 0 <= l < k ==> x[l] - d <= y[l] <= x[l] + d && w[l] == z[l]; */
    /*@ assert below: Under(y, w, 0, k, t + d); */
    const size_t j = wrong_numeric(b, y, w, n, t + d, v);
    /*@ assert again: j == k; */
    /*@ ghost
      /@ loop invariant range: l <= n;
         loop invariant cost:  Distance(z, w, l) == (l <= k ? 0 : 2 * d);
         loop assigns l;
         loop variant n - l; @/
      for (size_t l = 0; l < n; l++) {}
    */
    (void)i;
    (void)j;
}
