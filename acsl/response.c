/* SPDX-License-Identifier: MIT */
#include "acsl/response.h"

/*@ ghost
  void lemma_unlike(const int64_t *z, const int64_t *w, const int64_t *x, const int64_t *y, size_t n)
  {
      /@ loop invariant range: i <= n;
         loop invariant cost:  Unlike(z, w, i) <= Unlike(x, y, i);
         loop assigns i;
         loop variant n - i; @/
      for (size_t i = 0; i < n; i++) {}
  }
*/
