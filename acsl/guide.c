/* SPDX-License-Identifier: MIT */
/* Proofs of the lemmas of guide.h. Nothing here runs. */
#include "acsl/guide.h"

/*@ ghost
  void lemma_guided(const uint32_t *g, const uint64_t *t, size_t n, size_t s, uint64_t w)
  {
    /@ assert slot:  s < Slots; @/
    /@ assert begin: t[g[s]] <= s * Span <= w; @/
    /@ assert end:   g[s + 1] + 1 < n ==> w < t[g[s + 1] + 1]; @/
  }
*/
