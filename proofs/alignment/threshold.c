/* SPDX-License-Identifier: MIT */
/* Counts under a threshold. Bars that both inputs have are aligned as in a histogram. A bar that only one has
 * is left alone: the alignment fails where the noise lifts it over the threshold. */
#include "kernel/threshold.h"
#include "proofs/alignment/noise.h"

/*@ // The shift of the noise of a bar: 0 when only one input has it.
    logic integer Shift(integer x, integer y) = x == 0 || y == 0 ? 0 : x - y;

    // Only one input has the bar, and with this noise it would be published.
    predicate Surfaces(integer x, integer y, integer z, integer threshold) =
      (x == 0 && y != 0 && y + z >= threshold) || (x != 0 && y == 0 && x + z >= threshold);

    // The value published for a bar.
    logic integer Published(integer x, integer z, integer threshold) =
      x == 0 ? Suppressed : Passed(Saturated(x + z), threshold);
*/

/* The four cases of what is published. */
/*@ ghost
  /@ requires count:  0 <= x && 1 <= threshold;
     requires empty:  x == 0 ==> v == Suppressed;
     requires hidden: x > 0 ==> x + z < threshold ==> v == Suppressed;
     requires shown:  x > 0 ==> threshold <= x + z <= INT64_MAX ==> v == x + z;
     requires top:    x > 0 ==> x + z > INT64_MAX ==> v == INT64_MAX;
     terminates \true;
     assigns \nothing;
     ensures value: v == Published(x, z, threshold);
  @/
  void align_published(int64_t x, int64_t z, int64_t v, int64_t threshold)
  {
  }
*/

/* One run, with noise for every bar. */
/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(z + (0 .. n - 1));
    requires place: \valid(a + (0 .. n - 1)) && \valid(noise + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), noise + (0 .. n - 1), x + (0 .. n - 1), z + (0 .. n - 1));
    requires counts: Counts(x, n);
    requires some:  1 <= threshold;
    terminates \true;
    assigns a[0 .. n - 1], noise[0 .. n - 1];
    ensures value:  \forall integer i; 0 <= i < n ==> a[i] == Published(\old(x[i]), \old(z[i]), threshold);
    ensures empty:  \forall integer i; 0 <= i < n ==> \old(x[i]) == 0 ==> a[i] == Suppressed;
    ensures hidden: \forall integer i; 0 <= i < n ==> \old(x[i]) > 0 ==>
                     \old(x[i] + z[i]) < threshold ==> a[i] == Suppressed;
    ensures shown:  \forall integer i; 0 <= i < n ==> \old(x[i]) > 0 ==>
                     threshold <= \old(x[i] + z[i]) <= INT64_MAX ==> a[i] == \old(x[i] + z[i]);
    ensures top:    \forall integer i; 0 <= i < n ==> \old(x[i]) > 0 ==>
                     \old(x[i] + z[i]) > INT64_MAX ==> a[i] == INT64_MAX;
*/
static void align_run_threshold(int64_t *a, int64_t *noise, const int64_t *x, const int64_t *z, size_t n,
                                int64_t threshold)
{
    align_pack(noise, z, x, n, INT64_MIN, INT64_MAX);
    /*@ assert kept: Same{Pre, Here}((int64_t *)x, 0, n) && Same{Pre, Here}((int64_t *)z, 0, n); */
Packing:
    pby_threshold(a, x, n, noise, threshold);
    /*@ assert unread: Same{Packing, Here}(noise, 0, n); */
    /*@ ghost
      /@ loop invariant range: i <= n;
         loop invariant empty:  \forall integer j; 0 <= j < i ==> \at(x[j], Pre) == 0 ==> a[j] == Suppressed;
         loop invariant hidden: \forall integer j; 0 <= j < i ==> \at(x[j], Pre) > 0 ==>
                          \at(x[j] + z[j], Pre) < threshold ==> a[j] == Suppressed;
         loop invariant shown:  \forall integer j; 0 <= j < i ==> \at(x[j], Pre) > 0 ==>
                          threshold <= \at(x[j] + z[j], Pre) <= INT64_MAX ==> a[j] == \at(x[j] + z[j], Pre);
         loop invariant top:    \forall integer j; 0 <= j < i ==> \at(x[j], Pre) > 0 ==>
                          \at(x[j] + z[j], Pre) > INT64_MAX ==> a[j] == INT64_MAX;
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
    /*@ ghost
      /@ loop invariant range: i <= n;
         loop invariant value: \forall integer j; 0 <= j < i ==>
                         a[j] == Published(\at(x[j], Pre), \at(z[j], Pre), threshold);
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++)
          align_published(x[i], z[i], a[i], threshold);
    */
}

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) &&
                    \valid_read(z + (0 .. n - 1)) && \valid_read(w + (0 .. n - 1));
    requires place: \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1)) && \valid(noise + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1), noise + (0 .. n - 1), x + (0 .. n - 1),
                               y + (0 .. n - 1), z + (0 .. n - 1), w + (0 .. n - 1));
    requires counts:    Counts(x, n) && Counts(y, n);
    requires some:      1 <= threshold;
    requires neighbour: Distance(x, y, n) <= charge;
    requires aligned:   \forall integer i; 0 <= i < n ==> w[i] == z[i] + Shift(x[i], y[i]);
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1], noise[0 .. n - 1];
    ensures first:     \forall integer i; 0 <= i < n ==> a[i] == Published(\old(x[i]), \old(z[i]), threshold);
    ensures second:    \forall integer i; 0 <= i < n ==> b[i] == Published(\old(y[i]), \old(w[i]), threshold);
    ensures same:      \forall integer i; 0 <= i < n ==>
                         !\old(Surfaces(x[i], y[i], z[i], threshold)) ==> a[i] == b[i];
    ensures injective: \forall integer i; 0 <= i < n ==> \old(z[i] == w[i] - Shift(x[i], y[i]));
    ensures cost:      Distance{Pre}(z, w, n) <= charge;
    ensures fails:     \forall integer i; 0 <= i < n ==> a[i] != b[i] ==>
                         \old(Surfaces(x[i], y[i], z[i], threshold));
*/
void align_threshold(const int64_t *x, const int64_t *y, const int64_t *z, const int64_t *w, size_t n,
                     int64_t threshold, int64_t charge, int64_t *noise, int64_t *a, int64_t *b)
{
    (void)charge; /* the contract's, not the code's */
    /*@ ghost lemma_cost(z, w, x, y, n); */
    align_run_threshold(a, noise, x, z, n, threshold);
    /*@ assert kept_y: Same{Pre, Here}((int64_t *)y, 0, n); */
    /*@ assert kept_w: Same{Pre, Here}((int64_t *)w, 0, n); */
Second:
    align_run_threshold(b, noise, y, w, n, threshold);
    /*@ assert kept_a: Same{Second, Here}(a, 0, n); */
    /*@ ghost
      /@ loop invariant range: i <= n;
         loop invariant value: \forall integer j; 0 <= j < i ==>
                                 !\at(Surfaces(x[j], y[j], z[j], threshold), Pre) ==> a[j] == b[j];
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
}

/* The hypotheses hold of a bar that both inputs have, one that only the first has and one that neither
 * has. */
/*@ terminates \true;
    assigns \nothing;
    ensures reached: \result == 1;
*/
int witness_threshold(void)
{
    const int64_t x[3] = {7, 1, 0}, y[3] = {6, 0, 0}, z[3] = {-2, 0, 9}, w[3] = {-1, 0, 9};
    int64_t noise[3], a[3], b[3];
    align_threshold(x, y, z, w, 3, 4, 2, noise, a, b);
    return (a[0] == 5) * (b[0] == 5) * (a[1] == PBY_SUPPRESSED) * (b[1] == PBY_SUPPRESSED);
}

#include "proofs/alignment/private_threshold.h"
