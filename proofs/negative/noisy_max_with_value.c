/* SPDX-License-Identifier: MIT */
/* Wrong: report noisy max that releases the winning value too. The place is the same under the alignment; the
 * value is not. */
#include "kernel/noisy_max.h"
#include "proofs/alignment/noise.h"

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(z + (0 .. n - 1)) && \valid(value);
    requires apart: \separated(value, x + (0 .. n - 1)) && \separated(value, z + (0 .. n - 1));
    requires some:  0 < n;
    requires fits:  \forall integer i; 0 <= i < n ==> INT64_MIN <= x[i] + z[i] <= INT64_MAX;
    terminates \true;
    assigns *value;
    ensures largest: Largest(x, z, n, \result);
    ensures value:   *value == x[\result] + z[\result];
*/
static size_t wrong_max(int64_t *value, const int64_t *x, const int64_t *z, size_t n)
{
    const size_t k = pby_noisy_max(x, z, n);
    *value = x[k] + z[k];
    return k;
}

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) &&
                    \valid_read(z + (0 .. n - 1)) && \valid_read(w + (0 .. n - 1));
    requires place: \valid(a) && \valid(b);
    requires apart: \separated(a, b, x + (0 .. n - 1), y + (0 .. n - 1), z + (0 .. n - 1), w + (0 .. n - 1));
    requires some:      0 < n && Largest(x, z, n, k);
    requires fits:      \forall integer i; 0 <= i < n ==>
                          INT64_MIN <= x[i] + z[i] <= INT64_MAX && INT64_MIN <= y[i] + w[i] <= INT64_MAX;
    requires aligned:   0 <= d && \forall integer i; 0 <= i < n ==> w[i] == z[i] + (i == k ? 2 * d : 0);
    requires neighbour: Near(x, y, n, d);
    terminates \true;
    assigns *a, *b;
    ensures first:  *a == x[k] + z[k];
    ensures second: \exists integer i; Largest(y, w, n, i) && *b == y[i] + w[i];
    ensures same:   *a == *b;
*/
void align_wrong_max(int64_t *a, int64_t *b, const int64_t *x, const int64_t *y, const int64_t *z,
                     const int64_t *w, size_t n, int64_t d, size_t k)
{
    (void)d; /* the contract's, not the code's */
    (void)k;
    wrong_max(a, x, z, n);
    wrong_max(b, y, w, n);
}
