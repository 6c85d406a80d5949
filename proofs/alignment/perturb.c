/* The geometric histogram: what one input has more than the other, the noise of that bar has less. */
#include "kernel/histogram.h"
#include "proofs/alignment/noise.h"

/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1)) &&
                    \valid_read(z + (0 .. n - 1)) && \valid_read(w + (0 .. n - 1));
    requires place: \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1), x + (0 .. n - 1), y + (0 .. n - 1),
                               z + (0 .. n - 1), w + (0 .. n - 1));
    requires neighbour: Distance(x, y, n) <= charge;
    requires aligned:   Shifted(z, w, x, y, n);
    terminates \true;
    assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures same:      \forall integer i; 0 <= i < n ==> a[i] == b[i];
    ensures injective: \forall integer i; 0 <= i < n ==> \old(z[i] == w[i] - (x[i] - y[i]));
    ensures cost:      Distance{Pre}(z, w, n) <= charge;
*/
void align_perturb(const int64_t *x, const int64_t *y, const int64_t *z, const int64_t *w, size_t n,
                   int64_t charge, int64_t *a, int64_t *b)
{
    (void)charge; /* the contract's, not the code's */
    /*@ ghost lemma_cost(z, w, x, y, n); */
    pby_perturb(a, x, n, z);
    /*@ assert first: \forall integer i; 0 <= i < n ==> a[i] == Saturated(\at(x[i] + z[i], Pre)); */
    /*@ assert kept_y: Same{Pre, Here}((int64_t *)y, 0, n); */
    /*@ assert kept_w: Same{Pre, Here}((int64_t *)w, 0, n); */
    pby_perturb(b, y, n, w);
    /*@ ghost
      /@ loop invariant range: i <= n;
         loop invariant value: \forall integer j; 0 <= j < i ==> a[j] == b[j];
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
    */
}
