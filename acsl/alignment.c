/* SPDX-License-Identifier: MIT */
#include "acsl/alignment.h"

/*@ ghost
  void lemma_cost(const int64_t *z, const int64_t *w, const int64_t *x, const int64_t *y, size_t n)
  {
      /@ loop invariant range: i <= n;
         loop invariant cost:  Distance(z, w, i) <= Distance(x, y, i);
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
  }
*/
