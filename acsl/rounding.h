/* SPDX-License-Identifier: MIT */
/* Rounding at random. */
#ifndef PBY_ACSL_ROUNDING_H
#define PBY_ACSL_ROUNDING_H

#include "acsl/histogram.h"

/*@ // The number of offsets below k that bring x up to m.
    logic integer Tops(integer x, integer m, integer k) =
      k <= 0 ? 0 : Tops(x, m, k - 1) + (x + k - 1 >= m ? 1 : 0);
*/

/*@ ghost
  // Exactly x of the m offsets bring x up to m.
  /@ terminates \true;
     assigns \nothing;
     ensures law: \forall integer x; 0 <= x <= m ==> Tops(x, m, m) == x;
  @/
  void lemma_tops(size_t m);
*/

#endif
