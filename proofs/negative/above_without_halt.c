/* SPDX-License-Identifier: MIT */
/* Wrong: above-threshold that goes on after its positive answer, and says of every query whether it reached
 * the threshold. The alignment pays for one positive answer, and the later ones need not be the same. */
#include "kernel/sparse.h"
#include "proofs/alignment/noise.h"

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(z + (0 .. n - 1)) &&
                    \valid(out + (0 .. n - 1));
    requires apart: \separated(out + (0 .. n - 1), x + (0 .. n - 1)) &&
                    \separated(out + (0 .. n - 1), z + (0 .. n - 1));
    terminates \true;
    assigns out[0 .. n - 1];
    ensures yes: \forall integer i; 0 <= i < n ==> x[i] + z[i] >= t ==> out[i] == 1;
    ensures no:  \forall integer i; 0 <= i < n ==> x[i] + z[i] < t ==> out[i] == 0;
*/
static void wrong_above(int *out, const int64_t *x, const int64_t *z, size_t n, int64_t t)
{
    /*@ loop invariant range: i <= n;
        loop invariant yes: \forall integer j; 0 <= j < i ==> x[j] + z[j] >= t ==> out[j] == 1;
        loop invariant no:  \forall integer j; 0 <= j < i ==> x[j] + z[j] < t ==> out[j] == 0;
        loop assigns i, out[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        out[i] = pby_reaches(x[i], z[i], t);
}

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) &&
                    \valid_read(z + (0 .. n - 1)) && \valid_read(w + (0 .. n - 1));
    requires place: \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1), x + (0 .. n - 1), y + (0 .. n - 1),
                               z + (0 .. n - 1), w + (0 .. n - 1));
    requires fits:      0 <= d <= INT32_MAX && t <= INT64_MAX - d;
    requires first:     k <= n && Under(x, z, 0, k, t) && (k < n ==> t <= x[k] + z[k]);
    requires aligned:   \forall integer i; 0 <= i < n ==> w[i] == z[i] + (i == k ? 2 * d : 0);
    requires neighbour: Near(x, y, n, d);
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures first:  \forall integer i; 0 <= i < n ==> a[i] == (x[i] + z[i] >= t ? 1 : 0);
    ensures second: \forall integer i; 0 <= i < n ==> b[i] == (y[i] + w[i] >= t + d ? 1 : 0);
    ensures same:   \forall integer i; 0 <= i < n ==> a[i] == b[i];
*/
void align_wrong_above(int *a, int *b, const int64_t *x, const int64_t *y, const int64_t *z, const int64_t *w,
                       size_t n, int64_t t, int64_t d, size_t k)
{
    (void)k; /* the contract's, not the code's */
    wrong_above(a, x, z, n, t);
    wrong_above(b, y, w, n, t + d);
}
