/* SPDX-License-Identifier: MIT */
/* Proofs of the lemmas of bucket.h, by induction as loops. Nothing here runs. */
#include "acsl/bucket.h"

/*@ ghost
  void lemma_place(size_t place, size_t cell, size_t side, size_t cubes)
  {
    /@ assert below: (place + 1) * side <= cubes * side; @/
  }

  void lemma_cubes(size_t side, size_t d)
  {
    size_t i = 0;
    /@ loop invariant range: i <= d;
       loop invariant order: \forall integer k; 0 <= k <= i ==> 1 <= Cubes(side, k) <= Cubes(side, i);
       loop assigns i;
       loop variant d - i; @/
    while (i < d) {
      /@ assert step: Cubes(side, i + 1) == side * Cubes(side, i); @/
      i++;
    }
  }
*/
