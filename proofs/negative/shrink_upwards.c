/* SPDX-License-Identifier: MIT */
/* Wrong: the shifted truncated Laplace histogram with noise from 0 to the bound in place of -bound to 0. An
 * empty bar stays empty and draws nothing; a bar of one record then shows the noise, and so that it is not
 * empty. */
#include "kernel/histogram.h"
#include "proofs/alignment/noise.h"

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(z + (0 .. n - 1)) &&
                    \valid(a + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), x + (0 .. n - 1)) &&
                    \separated(a + (0 .. n - 1), z + (0 .. n - 1));
    requires law:    0 <= bound && Within(z, n, 0, bound);
    requires counts: Within(x, n, 0, INT64_MAX - bound);
    terminates \true;
    assigns a[0 .. n - 1];
    ensures empty: \forall integer i; 0 <= i < n ==> \old(x[i]) == 0 ==> a[i] == 0;
    ensures value: \forall integer i; 0 <= i < n ==> \old(x[i]) > 0 ==> a[i] == \old(x[i] + z[i]);
*/
static void wrong_shrink(int64_t *a, const int64_t *x, const int64_t *z, size_t n, int64_t bound)
{
    (void)bound; /* the contract's, not the code's */
    /*@ loop invariant range: i <= n;
        loop invariant empty: \forall integer j; 0 <= j < i ==> x[j] == 0 ==> a[j] == 0;
        loop invariant value: \forall integer j; 0 <= j < i ==> x[j] > 0 ==> a[j] == x[j] + z[j];
        loop assigns i, a[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        a[i] = x[i] == 0 ? 0 : x[i] + z[i];
}

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) &&
                    \valid_read(z + (0 .. n - 1)) && \valid_read(w + (0 .. n - 1));
    requires place: \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1), x + (0 .. n - 1), y + (0 .. n - 1),
                               z + (0 .. n - 1), w + (0 .. n - 1));
    requires counts:  0 <= bound && Within(x, n, 0, INT64_MAX - bound) && Within(y, n, 0, INT64_MAX - bound);
    requires law:     Within(z, n, 0, bound) && Within(w, n, 0, bound);
    requires aligned: Shifted(z, w, x, y, n);
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures first:  \forall integer i; 0 <= i < n ==> a[i] == \old(x[i] == 0 ? 0 : x[i] + z[i]);
    ensures second: \forall integer i; 0 <= i < n ==> b[i] == \old(y[i] == 0 ? 0 : y[i] + w[i]);
    ensures same:   \forall integer i; 0 <= i < n ==> a[i] == b[i];
*/
void align_wrong_shrink(int64_t *a, int64_t *b, const int64_t *x, const int64_t *y, const int64_t *z,
                        const int64_t *w, size_t n, int64_t bound)
{
    wrong_shrink(a, x, z, n, bound);
    wrong_shrink(b, y, w, n, bound);
}
