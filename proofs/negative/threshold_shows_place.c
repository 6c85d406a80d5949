/* SPDX-License-Identifier: MIT */
/* Wrong: a threshold that marks a suppressed key with 0 where the key occurs, and leaves the others out.
 * Whoever sees the mark knows that someone has the key. */
#include "kernel/threshold.h"
#include "proofs/alignment/noise.h"

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(z + (0 .. n - 1)) &&
                    \valid(a + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), x + (0 .. n - 1)) &&
                    \separated(a + (0 .. n - 1), z + (0 .. n - 1));
    requires counts: Counts(x, n);
    requires some:   1 <= threshold;
    requires fits:   \forall integer i; 0 <= i < n ==> x[i] + z[i] <= INT64_MAX;
    terminates \true;
    assigns a[0 .. n - 1];
    ensures empty:  \forall integer i; 0 <= i < n ==> \old(x[i]) == 0 ==> a[i] == Suppressed;
    ensures hidden: \forall integer i; 0 <= i < n ==> \old(x[i]) > 0 ==> \old(x[i] + z[i]) < threshold ==>
                    a[i] == 0;
    ensures shown:  \forall integer i; 0 <= i < n ==> \old(x[i]) > 0 ==> \old(x[i] + z[i]) >= threshold ==>
                      a[i] == \old(x[i] + z[i]);
*/
static void wrong_threshold(int64_t *a, const int64_t *x, const int64_t *z, size_t n, int64_t threshold)
{
    /*@ loop invariant range: i <= n;
        loop invariant empty:  \forall integer j; 0 <= j < i ==> x[j] == 0 ==> a[j] == Suppressed;
        loop invariant hidden: \forall integer j; 0 <= j < i ==> x[j] > 0 ==> x[j] + z[j] < threshold ==>
                        a[j] == 0;
        loop invariant shown:  \forall integer j; 0 <= j < i ==> x[j] > 0 ==> x[j] + z[j] >= threshold ==>
                                 a[j] == x[j] + z[j];
        loop assigns i, a[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        const int64_t v = x[i] + z[i];
        a[i] = x[i] == 0 ? PBY_SUPPRESSED : v >= threshold ? v : 0;
    }
}

/*@ predicate Surfaces(integer x, integer y, integer z, integer threshold) =
      (x == 0 && y != 0 && y + z >= threshold) || (x != 0 && y == 0 && x + z >= threshold);

    // The value written for a bar.
    logic integer Marked(integer x, integer z, integer threshold) =
      x == 0 ? Suppressed : x + z >= threshold ? x + z : 0;
*/

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) &&
                    \valid_read(z + (0 .. n - 1));
    requires place: \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1), x + (0 .. n - 1), y + (0 .. n - 1),
                               z + (0 .. n - 1));
    requires counts:    Counts(x, n) && Counts(y, n);
    requires some:      1 <= threshold;
    requires fits:      \forall integer i; 0 <= i < n ==> x[i] + z[i] <= INT64_MAX &&
        y[i] + z[i] <= INT64_MAX;
    requires neighbour: \forall integer i; 0 <= i < n ==> x[i] != 0 ==> y[i] != 0 ==> x[i] == y[i];
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures first:  \forall integer i; 0 <= i < n ==> a[i] == Marked(\old(x[i]), \old(z[i]), threshold);
    ensures second: \forall integer i; 0 <= i < n ==> b[i] == Marked(\old(y[i]), \old(z[i]), threshold);
    ensures same:   \forall integer i; 0 <= i < n ==>
                    !\old(Surfaces(x[i], y[i], z[i], threshold)) ==> a[i] == b[i];
*/
void align_wrong_threshold(int64_t *a, int64_t *b, const int64_t *x, const int64_t *y, const int64_t *z,
                           size_t n, int64_t threshold)
{
    wrong_threshold(a, x, z, n, threshold);
    wrong_threshold(b, y, z, n, threshold);
}
