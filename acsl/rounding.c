/* SPDX-License-Identifier: MIT */
/* Proofs of the lemmas of rounding.h. Nothing here runs. */
#include "acsl/rounding.h"

/*@ ghost
  void lemma_tops(size_t m)
  {
      /@ loop invariant range: k <= m;
         loop invariant count: \forall integer x; 0 <= x <= m ==>
                                 Tops(x, m, k) == (x + k >= m ? x + k - m : 0);
         loop assigns k;
         loop variant m - k; @/
      for (size_t k = 0; k < m; k++) {}
  }
*/
