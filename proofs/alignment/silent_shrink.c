/* SPDX-License-Identifier: MIT */
/* The shifted truncated Laplace histogram, drawn in silence. Every bar has its noise, the empty ones too; the
 * alignment is that of pby_shrink and fails on the same noise. */
#include "kernel/silent.h"
#include "proofs/alignment/noise.h"

/* One run, told from the input as it was. */
/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(z + (0 .. n - 1));
    requires place: \valid(a + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), x + (0 .. n - 1)) &&
                    \separated(a + (0 .. n - 1), z + (0 .. n - 1));
    requires counts: Counts(x, n);
    requires law:    Within(z, n, INT64_MIN, 0);
    terminates \true;
    assigns a[0 .. n - 1];
    ensures value: \forall integer i; 0 <= i < n ==> a[i] == Clamped(\old(x[i] + z[i]));
*/
static void align_run_silent_shrink(int64_t *a, const int64_t *x, const int64_t *z, size_t n)
{
    pby_silent_shrink(a, x, n, z);
}

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) &&
                    \valid_read(z + (0 .. n - 1)) && \valid_read(w + (0 .. n - 1));
    requires place: \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1), x + (0 .. n - 1),
                               y + (0 .. n - 1), z + (0 .. n - 1), w + (0 .. n - 1));
    requires counts:    Counts(x, n) && Counts(y, n);
    requires law:       0 <= bound && Within(z, n, -bound, 0);
    requires neighbour: Distance(x, y, n) <= charge;
    requires aligned:   Shifted(z, w, x, y, n);
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures first:  \forall integer i; 0 <= i < n ==> a[i] == Clamped(\old(x[i] + z[i]));
    ensures second: \result == 1 ==> \forall integer i; 0 <= i < n ==> b[i] == Clamped(\old(y[i] + w[i]));
    ensures same:      \result == 1 ==> \forall integer i; 0 <= i < n ==> a[i] == b[i];
    ensures injective: \forall integer i; 0 <= i < n ==> \old(z[i] == w[i] - (x[i] - y[i]));
    ensures cost:      Distance{Pre}(z, w, n) <= charge;
    ensures fails:     \result != 1 ==> \exists integer i; 0 <= i < n &&
                         \old(z[i] < y[i] - x[i] - bound || y[i] - x[i] < z[i]);
*/
int align_silent_shrink(const int64_t *x, const int64_t *y, const int64_t *z, const int64_t *w, size_t n,
                        int64_t bound, int64_t charge, int64_t *a, int64_t *b)
{
    (void)charge; /* the contract's, not the code's */
    /*@ ghost lemma_cost(z, w, x, y, n); */
    align_run_silent_shrink(a, x, z, n);
    if (!align_within(w, n, -bound, 0))
        return 0;
    /*@ assert kept_y: Same{Pre, Here}((int64_t *)y, 0, n); */
    /*@ assert kept_w: Same{Pre, Here}((int64_t *)w, 0, n); */
    align_run_silent_shrink(b, y, w, n);
    return 1;
}

/* The hypotheses hold of two bars, one of which has a record more, and the alignment holds there. */
/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_silent_shrink(void)
{
    const int64_t x[2] = {4, 1}, y[2] = {3, 1}, z[2] = {-2, -3}, w[2] = {-1, -3};
    int64_t a[2], b[2];
    const int aligned = align_silent_shrink(x, y, z, w, 2, 3, 1, a, b);
    return aligned * (a[0] == 2) * (b[0] == 2);
}

#include "proofs/alignment/private_silent_shrink.h"
