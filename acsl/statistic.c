/* SPDX-License-Identifier: MIT */
/* Proofs of the lemmas of statistic.h, by induction as loops. Nothing here runs. */
#include "acsl/statistic.h"

/*@ ghost
  void lemma_mass(const int64_t *x, size_t n)
  {
    size_t i = 0;
    /@ loop invariant range: i <= n;
       loop invariant order: \forall integer k; 0 <= k <= i ==> 0 <= Mass(x, k) <= Mass(x, i);
       loop assigns i;
       loop variant n - i; @/
    while (i < n) i++;
  }

  void lemma_mass_rises(const int64_t *x, size_t n)
  {
    size_t i = 0;
    /@ loop invariant range: i <= n;
       loop invariant rises: \forall integer j, k; 0 <= j <= k <= i ==> Mass(x, j) <= Mass(x, k);
       loop assigns i;
       loop variant n - i; @/
    while (i < n) i++;
  }

  void lemma_share(int64_t m, int64_t all, int64_t num, int64_t den)
  {
    /@ assert product: \forall integer k; k <= m ==> den * k <= den * m; @/
  }
*/
