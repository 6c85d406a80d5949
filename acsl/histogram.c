/* SPDX-License-Identifier: MIT */
/* Proofs of the lemmas of histogram.h, by induction as loops. Nothing here runs. */
#include "acsl/histogram.h"

/*@ ghost
  void lemma_support(const int64_t *x, size_t n)
  {
    size_t i = 0;
    /@ loop invariant range: i <= n;
       loop invariant order: \forall integer k; 0 <= k <= i ==> 0 <= Support(x, k) <= Support(x, i);
       loop invariant place: \forall integer k; 0 <= k < i ==> x[k] != 0 ==>
                               Support(x, k) < Support(x, i);
       loop assigns i;
       loop variant n - i; @/
    while (i < n) i++;
  }
*/
