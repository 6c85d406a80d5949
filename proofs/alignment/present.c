/* SPDX-License-Identifier: MIT */
/* Partition selection: whether a bar is shown depends on count plus noise alone, and so the noise is shifted
 * as for a histogram. The alignment fails where it would carry the noise of a bar out of its law. */
#include "kernel/partition.h"
#include "proofs/alignment/noise.h"

/*@ // The value shown for a bar whose count and noise are together v.
    logic integer Shown(integer v) = v > 0 ? 1 : Suppressed;
*/

/* One run, with noise for every bar. */
/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(z + (0 .. n - 1));
    requires place: \valid(a + (0 .. n - 1)) && \valid(noise + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), noise + (0 .. n - 1), x + (0 .. n - 1), z + (0 .. n - 1));
    requires counts: Counts(x, n);
    requires law:   0 <= bound && Within(z, n, -bound, 0);
    terminates \true;
    assigns a[0 .. n - 1], noise[0 .. n - 1];
    ensures value: \forall integer i; 0 <= i < n ==> a[i] == Shown(\old(x[i] + z[i]));
*/
static void align_run_present(int64_t *a, int64_t *noise, const int64_t *x, const int64_t *z, size_t n,
                              int64_t bound)
{
    align_pack(noise, z, x, n, -bound, 0);
    /*@ assert kept: Same{Pre, Here}((int64_t *)x, 0, n) && Same{Pre, Here}((int64_t *)z, 0, n); */
Packing:
    pby_present(a, x, n, noise, bound);
    /*@ assert unread: Same{Packing, Here}(noise, 0, n); */
    /*@ ghost
      /@ loop invariant range: i <= n;
         loop invariant value: \forall integer j; 0 <= j < i ==> a[j] == Shown(\at(x[j] + z[j], Pre));
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
}

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) &&
                    \valid_read(z + (0 .. n - 1)) && \valid_read(w + (0 .. n - 1));
    requires place: \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1)) && \valid(noise + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1), noise + (0 .. n - 1), x + (0 .. n - 1),
                               y + (0 .. n - 1), z + (0 .. n - 1), w + (0 .. n - 1));
    requires counts:    Counts(x, n) && Counts(y, n);
    requires law:       0 <= bound && Within(z, n, -bound, 0);
    requires neighbour: Distance(x, y, n) <= charge;
    requires aligned:   Shifted(z, w, x, y, n);
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1], noise[0 .. n - 1];
    ensures first:  \forall integer i; 0 <= i < n ==> a[i] == Shown(\old(x[i] + z[i]));
    ensures second: \result == 1 ==> \forall integer i; 0 <= i < n ==> b[i] == Shown(\old(y[i] + w[i]));
    ensures same:      \result == 1 ==> \forall integer i; 0 <= i < n ==> a[i] == b[i];
    ensures injective: \forall integer i; 0 <= i < n ==> \old(z[i] == w[i] - (x[i] - y[i]));
    ensures cost:      Distance{Pre}(z, w, n) <= charge;
    ensures fails:     \result != 1 ==> \exists integer i; 0 <= i < n &&
                         \old(z[i] < y[i] - x[i] - bound || y[i] - x[i] < z[i]);
*/
int align_present(const int64_t *x, const int64_t *y, const int64_t *z, const int64_t *w, size_t n,
                  int64_t bound, int64_t charge, int64_t *noise, int64_t *a, int64_t *b)
{
    (void)charge; /* the contract's, not the code's */
    /*@ ghost lemma_cost(z, w, x, y, n); */
    align_run_present(a, noise, x, z, n, bound);
    if (!align_within(w, n, -bound, 0))
        return 0;
    /*@ assert kept_y: Same{Pre, Here}((int64_t *)y, 0, n); */
    /*@ assert kept_w: Same{Pre, Here}((int64_t *)w, 0, n); */
    align_run_present(b, noise, y, w, n, bound);
    return 1;
}

/* The hypotheses hold of two bars, one of which has a record more, and the alignment holds there. */
/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_present(void)
{
    const int64_t x[2] = {4, 1}, y[2] = {3, 1}, z[2] = {-2, -3}, w[2] = {-1, -3};
    int64_t noise[2], a[2], b[2];
    const int aligned = align_present(x, y, z, w, 2, 3, 1, noise, a, b);
    return aligned * (a[0] == 1) * (b[0] == 1);
}

#include "proofs/alignment/private_present.h"
