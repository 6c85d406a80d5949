/* SPDX-License-Identifier: MIT */
/* Wrong: report noisy max, here of two answers, that breaks a tie by the true answers. Who wins a tie is then
 * a secret too, and a winner whose noise is raised by 2 d may lose a tie that it would have won. */
#include "kernel/noisy_max.h"
#include "proofs/alignment/noise.h"

/*@ // The second wins: by the noisy answer, or by the true one.
    predicate Second(int64_t *x, int64_t *z) =
      x[0] + z[0] < x[1] + z[1] || (x[0] + z[0] == x[1] + z[1] && x[0] < x[1]);
*/

/*@ requires valid: \valid_read(x + (0 .. 1)) && \valid_read(z + (0 .. 1));
    requires fits:  \forall integer i; 0 <= i < 2 ==> INT64_MIN <= x[i] + z[i] <= INT64_MAX;
    terminates \true;
    assigns \nothing;
    ensures second: Second(x, z) ==> \result == 1;
    ensures first:  !Second(x, z) ==> \result == 0;
*/
static size_t wrong_ties(const int64_t *x, const int64_t *z)
{
    if (x[0] + z[0] < x[1] + z[1])
        return 1;
    return x[0] + z[0] == x[1] + z[1] && x[0] < x[1] ? 1 : 0;
}

/*@ requires valid: \valid_read(x + (0 .. 1)) && \valid_read(y + (0 .. 1)) && \valid_read(z + (0 .. 1)) &&
                    \valid_read(w + (0 .. 1));
    requires place: \valid(a) && \valid(b);
    requires apart: \separated(a, b, x + (0 .. 1), y + (0 .. 1), z + (0 .. 1), w + (0 .. 1));
    requires fits:      \forall integer i; 0 <= i < 2 ==>
                          INT64_MIN <= x[i] + z[i] <= INT64_MAX && INT64_MIN <= y[i] + w[i] <= INT64_MAX;
    requires winner:    (k == 1 && Second(x, z)) || (k == 0 && !Second(x, z));
    requires aligned:   0 <= d && \forall integer i; 0 <= i < 2 ==> w[i] == z[i] + (i == k ? 2 * d : 0);
    requires neighbour: Near(x, y, 2, d);
    terminates \true;
    assigns *a, *b;
    ensures first:  *a == k;
    ensures second: (*b == 1 && Second(y, w)) || (*b == 0 && !Second(y, w));
    ensures same:   *a == *b;
*/
void align_wrong_ties(size_t *a, size_t *b, const int64_t *x, const int64_t *y, const int64_t *z,
                      const int64_t *w, int64_t d, size_t k)
{
    (void)d; /* the contract's, not the code's */
    (void)k;
    *a = wrong_ties(x, z);
    *b = wrong_ties(y, w);
}
