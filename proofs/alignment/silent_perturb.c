/* SPDX-License-Identifier: MIT */
/* The geometric histogram, drawn in silence: what one input has more than the other, the noise of that bar
 * has less. */
#include "kernel/silent.h"
#include "proofs/alignment/noise.h"

/* One run, its answer told apart by whether the sum fits. */
/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(z + (0 .. n - 1));
    requires place: \valid(a + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), x + (0 .. n - 1)) &&
                    \separated(a + (0 .. n - 1), z + (0 .. n - 1));
    requires counts: Counts(x, n);
    terminates \true;
    assigns a[0 .. n - 1];
    ensures fits: \forall integer i; 0 <= i < n ==> INT64_MIN <= \old(x[i] + z[i]) <= INT64_MAX ==>
                    a[i] == \old(x[i] + z[i]);
    ensures high: \forall integer i; 0 <= i < n ==> \old(x[i] + z[i]) > INT64_MAX ==> a[i] == INT64_MAX;
    ensures low:  \forall integer i; 0 <= i < n ==> \old(x[i] + z[i]) < INT64_MIN ==> a[i] == INT64_MIN;
*/
static void align_run_silent_perturb(int64_t *a, const int64_t *x, const int64_t *z, size_t n)
{
    pby_silent_perturb(a, x, n, z);
}

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) &&
                    \valid_read(z + (0 .. n - 1)) && \valid_read(w + (0 .. n - 1));
    requires place: \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1), x + (0 .. n - 1), y + (0 .. n - 1),
                               z + (0 .. n - 1), w + (0 .. n - 1));
    requires counts:    Counts(x, n) && Counts(y, n);
    requires neighbour: Distance(x, y, n) <= charge;
    requires aligned:   Shifted(z, w, x, y, n);
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures first:  \forall integer i; 0 <= i < n ==> a[i] == Saturated(\old(x[i] + z[i]));
    ensures second: \forall integer i; 0 <= i < n ==> b[i] == Saturated(\old(y[i] + w[i]));
    ensures same:      \forall integer i; 0 <= i < n ==> a[i] == b[i];
    ensures injective: \forall integer i; 0 <= i < n ==> \old(z[i] == w[i] - (x[i] - y[i]));
    ensures cost:      Distance{Pre}(z, w, n) <= charge;
*/
void align_silent_perturb(const int64_t *x, const int64_t *y, const int64_t *z, const int64_t *w, size_t n,
                          int64_t charge, int64_t *a, int64_t *b)
{
    (void)charge; /* the contract's, not the code's */
    /*@ ghost lemma_cost(z, w, x, y, n); */
    align_run_silent_perturb(a, x, z, n);
    /*@ assert sums: \forall integer i; 0 <= i < n ==> y[i] + w[i] == \at(x[i] + z[i], Pre); */
Second:
    align_run_silent_perturb(b, y, w, n);
    /*@ assert kept: Same{Second, Here}(a, 0, n); */
}

/* The hypotheses hold of two bars, one of which has a record more. */
/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_silent_perturb(void)
{
    const int64_t x[2] = {3, 0}, y[2] = {2, 0}, z[2] = {-1, 5}, w[2] = {0, 5};
    int64_t a[2], b[2];
    align_silent_perturb(x, y, z, w, 2, 1, a, b);
    return (a[0] == 2) * (a[1] == 5) * (b[0] == 2) * (b[1] == 5);
}

#include "proofs/alignment/private_silent_perturb.h"
