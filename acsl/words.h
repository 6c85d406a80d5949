/* SPDX-License-Identifier: MIT */
/* Words: what there is to say about 64-bit words as numbers. Logic only; a compiler sees nothing. */
#ifndef PBY_ACSL_WORDS_H
#define PBY_ACSL_WORDS_H

#include <stddef.h>
#include <stdint.h>

/*@ // The number of words.
    logic integer Words = 18446744073709551616;

    logic integer Pow2(integer d) = d <= 0 ? 1 : 2 * Pow2(d - 1);

    predicate Same{A, B}(int64_t *a, integer from, integer to) =
      \forall integer i; from <= i < to ==> \at(a[i], A) == \at(a[i], B);
*/

/*@ ghost
  /@ terminates \true;
     assigns \nothing;
     ensures words: Pow2(64) == Words;
  @/
  void lemma_pow2_64(void);

  // The rest of len cells after one step of a search.
  /@ requires depth: 0 < d;
     requires len:   1 <= len <= Pow2(d);
     terminates \true;
     assigns \nothing;
     ensures half: len / 2 < len;
     ensures rest: 1 <= len - len / 2 <= Pow2(d - 1);
  @/
  void lemma_halved(size_t len, unsigned d);
*/

#endif
