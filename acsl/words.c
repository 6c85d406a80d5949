/* SPDX-License-Identifier: MIT */
/* Proofs of the lemmas of words.h. Nothing here runs. */
#include "acsl/words.h"

/*@ ghost
  void lemma_pow2_64(void)
  {
    /@ assert by_4:  Pow2(4) == 16; @/
    /@ assert by_8:  Pow2(8) == 256; @/
    /@ assert by_16: Pow2(16) == 65536; @/
    /@ assert by_24: Pow2(24) == 16777216; @/
    /@ assert by_32: Pow2(32) == 4294967296; @/
    /@ assert by_40: Pow2(40) == 1099511627776; @/
    /@ assert by_48: Pow2(48) == 281474976710656; @/
    /@ assert by_56: Pow2(56) == 72057594037927936; @/
  }

  void lemma_halved(size_t len, unsigned d)
  {
    /@ assert power: Pow2(d) == 2 * Pow2(d - 1); @/
  }
*/
