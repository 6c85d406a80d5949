/* SPDX-License-Identifier: MIT */
/* A uniform number below n out of words: which words are accepted, and how many lead to each result.
 * The first Words % n words are turned away; the others are a whole number of runs of length n. */
#ifndef PBY_ACSL_UNIFORM_H
#define PBY_ACSL_UNIFORM_H

#include "acsl/words.h"

/*@ logic integer Surplus(integer n) = Words % n;

    predicate Accepted(integer w, integer n) = Surplus(n) <= w;

    predicate FirstAccepted(uint64_t *words, integer from, integer k, integer n) =
      from <= k && Accepted(words[k], n) &&
      \forall integer j; from <= j < k ==> !Accepted(words[j], n);

    // The number of accepted words below m that are r modulo n.
    logic integer Ways(integer n, integer r, integer m) =
      m <= 0 ? 0
             : Ways(n, r, m - 1) + (Surplus(n) <= m - 1 && (m - 1) % n == r ? 1 : 0);
*/

/*@ ghost
  // 2^64 mod n, without 2^64.
  /@ requires some: 0 < n;
     terminates \true;
     assigns \nothing;
     ensures surplus: (UINT64_MAX % n + 1) % n == Surplus(n);
  @/
  void lemma_surplus(uint64_t n);

  /@ requires some: 0 < n;
     terminates \true;
     assigns \nothing;
     ensures fair: \forall integer r; 0 <= r < n ==> Ways(n, r, Words) == Words / n;
  @/
  void lemma_fair(uint64_t n);
*/

#endif
