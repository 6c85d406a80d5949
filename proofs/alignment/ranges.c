/* SPDX-License-Identifier: MIT */
/* Ranges. Noise that publishes nothing is left alone; other noise is shifted as in a histogram. The alignment
 * fails where the count would come to lie within reach on one input and out of reach on the other. */
#include "kernel/range.h"
#include "proofs/alignment/noise.h"

/*@ // The shift of the noise z of a bar, of which one input has v more than the other.
    logic integer Shift(integer z, integer reach, integer v) = Apart(z, 0) <= reach ? v : 0;

    // The value published for a bar.
    logic integer Ranged(integer x, integer z, integer reach) = Apart(z, 0) <= reach ? x + z : Suppressed;
*/

/* claims: Thresh/Lemma 1 */
/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) &&
                    \valid_read(z + (0 .. n - 1)) && \valid_read(w + (0 .. n - 1));
    requires place: \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1), x + (0 .. n - 1), y + (0 .. n - 1),
                               z + (0 .. n - 1), w + (0 .. n - 1));
    requires reach:     0 <= reach <= INT32_MAX;
    requires counts:    Within(x, n, 0, INT64_MAX - 2 * reach) && Within(y, n, 0, INT64_MAX - 2 * reach);
    requires neighbour: Distance(x, y, n) <= charge;
    requires aligned:   \forall integer i; 0 <= i < n ==>
                          w[i] == z[i] + Shift(z[i], reach, x[i] - y[i]);
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures first:     \forall integer i; 0 <= i < n ==> a[i] == Ranged(\old(x[i]), \old(z[i]), reach);
    ensures second:    \forall integer i; 0 <= i < n ==> b[i] == Ranged(\old(y[i]), \old(w[i]), reach);
    ensures same:      \forall integer i; 0 <= i < n ==> a[i] == b[i] ||
                         \old(Reaching(z[i], reach) && !Reaching(w[i], reach));
    ensures injective: \forall integer i; 0 <= i < n ==>
                         \old(z[i]) == \old(w[i]) - (a[i] == Suppressed ? 0 : \old(x[i] - y[i]));
    ensures cost:      Distance{Pre}(z, w, n) <= charge;
    ensures fails:     \forall integer i; 0 <= i < n ==> a[i] != b[i] ==>
                         \old(Reaching(z[i], reach) && reach < Apart(z[i], y[i] - x[i]));
*/
void align_ranges(const int64_t *x, const int64_t *y, const int64_t *z, const int64_t *w, size_t n,
                  int64_t reach, int64_t charge, int64_t *a, int64_t *b)
{
    (void)charge; /* the contract's, not the code's */
    /*@ ghost lemma_cost(z, w, x, y, n); */
    pby_ranges(a, x, n, z, reach);
    /*@ assert first: \forall integer i; 0 <= i < n ==>
                    a[i] == Ranged(\at(x[i], Pre), \at(z[i], Pre), reach); */
    /*@ assert kept_y: Same{Pre, Here}((int64_t *)y, 0, n); */
    /*@ assert kept_w: Same{Pre, Here}((int64_t *)w, 0, n); */
    pby_ranges(b, y, n, w, reach);
    /*@ assert second: \forall integer i; 0 <= i < n ==>
                    b[i] == Ranged(\at(y[i], Pre), \at(w[i], Pre), reach); */
}

/* The hypotheses hold of two bars, one of which has a record more and the other noise that is out of
 * reach. */
/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_ranges(void)
{
    const int64_t x[2] = {7, 1}, y[2] = {6, 1}, z[2] = {-2, 9}, w[2] = {-1, 9};
    int64_t a[2], b[2];
    align_ranges(x, y, z, w, 2, 3, 1, a, b);
    return (a[0] == 5) * (b[0] == 5) * (a[1] == PBY_SUPPRESSED) * (b[1] == PBY_SUPPRESSED);
}

#include "proofs/alignment/private_ranges.h"
