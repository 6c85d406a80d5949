/* SPDX-License-Identifier: MIT */
/* Proofs of the lemmas of silent.h. Nothing here runs. */
#include "acsl/silent.h"

/*@ ghost
  void lemma_missed(const uint64_t *t, size_t from, size_t mid, size_t to, const uint64_t *words, size_t m)
  {
  }

  void lemma_shifted(uint64_t w)
  {
    /@ loop invariant range:  0 <= j <= 64;
       loop invariant halved: \forall integer i; 0 <= i <= j ==> (w >> i) == Halved(w, i) &&
                                0 <= Halved(w, i);
       loop assigns j;
       loop variant 64 - j; @/
    for (int j = 0; j < 64; j++) {
      /@ assert next: (w >> (j + 1)) == ((w >> j) >> 1); @/
      /@ assert half: ((w >> j) >> 1) == (w >> j) / 2; @/
    }
  }
*/
