/* SPDX-License-Identifier: MIT */
/* Wrong: above threshold that draws one noise and uses it again for every answer. What raises it for the
 * answer that is reported raises it for those before, and they reach the threshold first. */
#include "kernel/sparse.h"
#include "proofs/alignment/noise.h"

/*@ // k is the first place at which the answer with the noise z reaches t, n when there is none.
    predicate Alike(int64_t *x, integer z, integer n, integer t, integer k) =
      0 <= k <= n && (\forall integer i; 0 <= i < k ==> x[i] + z < t) && (k < n ==> t <= x[k] + z);
*/

/*@ requires valid: \valid_read(x + (0 .. n - 1));
    terminates \true;
    assigns \nothing;
    ensures first: Alike(x, z, n, t, \result);
*/
static size_t wrong_noise(const int64_t *x, int64_t z, size_t n, int64_t t)
{
    size_t i = 0;
    /*@ loop invariant range: i <= n;
        loop invariant below: \forall integer j; 0 <= j < i ==> x[j] + z < t;
        loop assigns i;
        loop variant n - i; */
    while (i < n && !pby_reaches(x[i], z, t))
        i++;
    return i;
}

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1));
    requires place: \valid(a) && \valid(b);
    requires apart: \separated(a, b, x + (0 .. n - 1), y + (0 .. n - 1));
    requires fits:      0 <= d <= INT32_MAX && t <= INT64_MAX - d && z <= INT64_MAX - 2 * d;
    requires neighbour: Near(x, y, n, d);
    terminates \true;
    assigns *a, *b;
    ensures first:  Alike(x, z, n, t, *a);
    ensures second: Alike(y, z + 2 * d, n, t + d, *b);
    ensures same:   *a == *b;
*/
void align_wrong_noise(size_t *a, size_t *b, const int64_t *x, const int64_t *y, int64_t z, size_t n,
                       int64_t t, int64_t d)
{
    *a = wrong_noise(x, z, n, t);
    *b = wrong_noise(y, z + 2 * d, n, t + d);
}
