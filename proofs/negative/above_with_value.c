/* SPDX-License-Identifier: MIT */
/* Wrong: above threshold that releases the noisy answer which reached the threshold, with the noise that it
 * was compared with. The place is the same under the alignment; the value is not, and it also says that the
 * threshold is no higher. */
#include "kernel/sparse.h"
#include "proofs/alignment/noise.h"

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(z + (0 .. n - 1)) && \valid(value);
    requires apart: \separated(value, x + (0 .. n - 1)) && \separated(value, z + (0 .. n - 1));
    requires fits:  \forall integer i; 0 <= i < n ==> INT64_MIN <= x[i] + z[i] <= INT64_MAX;
    terminates \true;
    assigns *value;
    ensures range: 0 <= \result <= n;
    ensures below: Under(x, z, 0, \result, t);
    ensures above: \result < n ==> t <= x[\result] + z[\result] && *value == x[\result] + z[\result];
*/
static size_t wrong_value(int64_t *value, const int64_t *x, const int64_t *z, size_t n, int64_t t)
{
    const size_t k = pby_above(x, z, 0, n, t);
    if (k < n)
        *value = x[k] + z[k];
    return k;
}

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) &&
                    \valid_read(z + (0 .. n - 1)) && \valid_read(w + (0 .. n - 1));
    requires place: \valid(a) && \valid(b);
    requires apart: \separated(a, b, x + (0 .. n - 1), y + (0 .. n - 1), z + (0 .. n - 1), w + (0 .. n - 1));
    requires fits:      0 <= d <= INT32_MAX && t <= INT64_MAX - d && \forall integer i; 0 <= i < n ==>
                          INT64_MIN <= x[i] + z[i] <= INT64_MAX && INT64_MIN <= y[i] + w[i] <= INT64_MAX;
    requires first:     k < n && Under(x, z, 0, k, t) && t <= x[k] + z[k];
    requires aligned:   \forall integer i; 0 <= i < n ==> w[i] == z[i] + (i == k ? 2 * d : 0);
    requires neighbour: Near(x, y, n, d);
    terminates \true;
    assigns *a, *b;
    ensures first:  *a == x[k] + z[k];
    ensures second: \exists integer i; 0 <= i < n && t + d <= y[i] + w[i] && *b == y[i] + w[i];
    ensures same:   *a == *b;
*/
void align_wrong_value(int64_t *a, int64_t *b, const int64_t *x, const int64_t *y, const int64_t *z,
                       const int64_t *w, size_t n, int64_t t, int64_t d, size_t k)
{
    (void)k; /* the contract's, not the code's */
    const size_t i = wrong_value(a, x, z, n, t);
    /*@ assert place: i == k; */
    /*@ assert reached: x[k] - d <= y[k] && t + d <= y[k] + w[k]; */
    const size_t j = wrong_value(b, y, w, n, t + d);
    /*@ assert found: j <= k && t + d <= y[j] + w[j]; */
    (void)i;
    (void)j;
}
