/* SPDX-License-Identifier: MIT */
/* Wrong: report noisy max of any queries at the price of monotone ones. The winner's noise is raised by d,
 * and another answer that gains d while the winner loses d passes it. */
#include "kernel/noisy_max.h"
#include "proofs/alignment/noise.h"

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) &&
                    \valid_read(z + (0 .. n - 1)) && \valid_read(w + (0 .. n - 1));
    requires place: \valid(a) && \valid(b);
    requires apart: \separated(a, b, x + (0 .. n - 1), y + (0 .. n - 1), z + (0 .. n - 1), w + (0 .. n - 1));
    requires some:      0 < n && Largest(x, z, n, k);
    requires aligned:   0 <= d && \forall integer i; 0 <= i < n ==> w[i] == z[i] + (i == k ? d : 0);
    requires neighbour: Near(x, y, n, d);
    terminates \true;
    assigns *a, *b;
    ensures first:  Largest(x, z, n, *a);
    ensures second: Largest(y, w, n, *b);
    ensures same:   *a == *b;
*/
void align_wrong_price(size_t *a, size_t *b, const int64_t *x, const int64_t *y, const int64_t *z,
                       const int64_t *w, size_t n, int64_t d, size_t k)
{
    (void)d; /* the contract's, not the code's */
    (void)k;
    *a = pby_noisy_max(x, z, n);
    *b = pby_noisy_max(y, w, n);
}
