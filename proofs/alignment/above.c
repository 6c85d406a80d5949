/* SPDX-License-Identifier: MIT */
/* Above threshold, of answers that fall by at most `down` and rise by at most `up`: the threshold is raised
 * by `up` and the answer that is reported by both. The answers before it stay below, on a neighbour as well;
 * those after it are not answered, and cost nothing. Any queries have down = up = d; monotone ones down = 0
 * or up = 0. */
#include "kernel/sparse.h"
#include "proofs/alignment/noise.h"

/*@ // k is the first place at which the noisy answer reaches t, n when there is none.
    predicate Halts(int64_t *x, int64_t *z, integer n, integer t, integer k) =
      0 <= k <= n && Under(x, z, 0, k, t) && (k < n ==> t <= x[k] + z[k]);
*/

/* claims: Survey/Theorem 6.1 */
/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) &&
                    \valid_read(z + (0 .. n - 1));
    requires place: \valid(w + (0 .. n - 1)) && \valid(a) && \valid(b);
    requires apart: \separated(w + (0 .. n - 1), x + (0 .. n - 1), y + (0 .. n - 1), z + (0 .. n - 1), a, b);
    requires fits:      0 <= down <= INT32_MAX && 0 <= up <= INT32_MAX &&
                        Within(z, n, INT64_MIN, INT64_MAX - (down + up));
    requires aligned:   s == t + up;
    requires neighbour: Moved(x, y, n, down, up);
    terminates \true;
    assigns *a, *b, w[0 .. n - 1];
    ensures first:     Halts(x, z, n, t, *a);
    ensures second:    Halts(y, w, n, s, *b);
    ensures same:      *a == *b;
    ensures injective: \forall integer i; 0 <= i < n ==> z[i] == w[i] - (i == *a ? down + up : 0);
    ensures cost:      Apart(t, s) <= up && Distance(z, w, n) <= down + up;
*/
void align_above(const int64_t *x, const int64_t *y, const int64_t *z, int64_t *w, size_t n, int64_t t,
                 int64_t s, int64_t down, int64_t up, size_t *a, size_t *b)
{
    const size_t first = pby_above(x, z, 0, n, t);
    *a = first;
    /*@ loop invariant range:  i <= n;
        loop invariant raised: \forall integer j; 0 <= j < i ==> w[j] == z[j] + (j == first ? down + up : 0);
        loop invariant below:  \forall integer j; 0 <= j < i ==> j < first ==> y[j] + w[j] < s;
        loop invariant above:  first < i ==> s <= y[first] + w[first];
        loop assigns i, w[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        /*@ assert near: x[i] - down <= y[i] <= x[i] + up; */
        w[i] = z[i] + (i == first ? down + up : 0);
    }
    /*@ assert below: Under(y, w, 0, first, s); */
    *b = pby_above(y, w, 0, n, s);
    /*@ ghost
      /@ loop invariant range: i <= n;
         loop invariant cost:  Distance(z, w, i) == (i <= first ? 0 : down + up);
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
}

/* The hypotheses hold of three answers, two of which differ by one; of three that rise; and of three that
 * fall. */
/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_above(void)
{
    const int64_t x[3] = {4, 9, 5}, y[3] = {5, 8, 5}, z[3] = {1, -1, 7};
    const int64_t risen[3] = {5, 9, 5}, fallen[3] = {4, 8, 4};
    int64_t w[3];
    size_t a, b;
    align_above(x, y, z, w, 3, 7, 8, 1, 1, &a, &b);
    const int both = (a == 1) * (b == 1) * (w[1] == 1) * (w[2] == 7);
    align_above(x, risen, z, w, 3, 7, 8, 0, 1, &a, &b);
    const int rise = (a == 1) * (b == 1) * (w[1] == 0);
    align_above(x, fallen, z, w, 3, 7, 7, 1, 0, &a, &b);
    const int fall = (a == 1) * (b == 1) * (w[1] == 0);
    return both * rise * fall;
}

#include "proofs/alignment/private_above.h"
