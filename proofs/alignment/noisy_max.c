/* SPDX-License-Identifier: MIT */
/* Report noisy max: the noise of the answer that wins is raised, and no other: by 2 d, or by d where all
 * answers move together. It is never lowered: noise that begins at 0 stays in its law. */
#include "kernel/noisy_max.h"
#include "proofs/alignment/noise.h"

/* The noise z with `by` more at the place k. */
/*@ requires valid: \valid_read(z + (0 .. n - 1)) && \valid(w + (0 .. n - 1));
    requires apart: \separated(w + (0 .. n - 1), z + (0 .. n - 1));
    requires place: k < n;
    requires fits:  0 <= by && z[k] <= INT64_MAX - by;
    terminates \true;
    assigns w[0 .. n - 1];
    ensures raised: \forall integer i; 0 <= i < n ==> w[i] == z[i] + (i == k ? by : 0);
*/
static void align_raise_one(int64_t *w, const int64_t *z, size_t n, size_t k, int64_t by)
{
    /*@ loop invariant range:  i <= n;
        loop invariant raised: \forall integer j; 0 <= j < i ==> w[j] == z[j] + (j == k ? by : 0);
        loop assigns i, w[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        w[i] = z[i] + (i == k ? by : 0);
}

/* claims: Survey/Theorem 4.3; Survey/Algorithm 2, for any queries; Survey/Theorem 4.7 */
/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) &&
                    \valid_read(z + (0 .. n - 1));
    requires place: \valid(w + (0 .. n - 1)) && \valid(a) && \valid(b);
    requires apart: \separated(w + (0 .. n - 1), x + (0 .. n - 1), y + (0 .. n - 1), z + (0 .. n - 1), a, b);
    requires some:      0 < n;
    requires fits:      0 <= d <= INT32_MAX && 0 <= by && Within(z, n, INT64_MIN, INT64_MAX - by);
    requires neighbour: (by == 2 * d && Near(x, y, n, d)) || (by == d && Together(x, y, n, d));
    terminates \true;
    assigns *a, *b, w[0 .. n - 1];
    ensures first:     Largest(x, z, n, *a);
    ensures second:    Largest(y, w, n, *b);
    ensures same:      *a == *b;
    ensures injective: \forall integer i; 0 <= i < n ==> z[i] == w[i] - (i == *a ? by : 0);
    ensures cost:      Distance(z, w, n) <= by;
*/
void align_noisy_max(const int64_t *x, const int64_t *y, const int64_t *z, int64_t *w, size_t n, int64_t d,
                     int64_t by, size_t *a, size_t *b)
{
    const size_t first = pby_noisy_max(x, z, n);
    *a = first;
    /*@ assert first: Largest(x, z, n, first); */
    align_raise_one(w, z, n, first, by);
    /*@ assert kept: Largest(x, z, n, first); */
    /*@ assert gained: \forall integer j; 0 <= j < n ==> y[j] - x[j] <= y[first] - x[first] + by; */
    /*@ ghost
      /@ loop invariant range:  i <= n;
         loop invariant others: \forall integer j; 0 <= j < i ==> j != first ==>
                                  y[j] + w[j] - (x[j] + z[j]) <= y[first] + w[first] - (x[first] + z[first]);
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
    /*@ assert wins: Largest(y, w, n, first); */
    *b = pby_noisy_max(y, w, n);
    /*@ ghost
      /@ loop invariant range: i <= n;
         loop invariant cost:  Distance(z, w, i) == (i <= first ? 0 : by);
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
}

/* The hypotheses hold of three answers, two of which move by one in opposite ways, and of three that fall. */
/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_noisy_max(void)
{
    const int64_t x[3] = {4, 9, 5}, y[3] = {5, 8, 5}, z[3] = {1, -1, 0}, fallen[3] = {3, 8, 5};
    int64_t w[3];
    size_t a, b, c, e;
    align_noisy_max(x, y, z, w, 3, 1, 2, &a, &b);
    const int64_t raised = w[1];
    align_noisy_max(x, fallen, z, w, 3, 1, 1, &c, &e);
    return (a == 1) * (b == 1) * (raised == 1) * (c == 1) * (e == 1) * (w[1] == 0);
}

#include "proofs/alignment/private_noisy_max.h"
