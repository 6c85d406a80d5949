/* Proofs of the lemmas of silent.h. Nothing here runs. */
#include "acsl/silent.h"

/*@ ghost
  void lemma_missed(const uint64_t *t, size_t from, size_t mid, size_t to, const uint64_t *words, size_t m)
  {
  }
*/
