/* SPDX-License-Identifier: MIT */
/* Guides: the words are divided into equal slots, and a guide knows the cell in which each slot begins. */
#ifndef PBY_ACSL_GUIDE_H
#define PBY_ACSL_GUIDE_H

#include "acsl/cells.h"

/*@ logic integer Slots = 4096;

    // The number of words of a slot.
    logic integer Span = 4503599627370496;

    // g[s] is the cell of the first word of slot s; the last entry closes the last slot.
    predicate Guide(uint32_t *g, uint64_t *t, integer n) =
      (\forall integer s; 0 <= s < Slots ==> Narrowed(t, n, g[s], 1, s * Span)) && g[Slots] == n - 1;
*/

/*@ ghost
  // A word lies between the cells in which its slot begins and ends.
  /@ requires valid: \valid_read(t + (0 .. n - 1)) && \valid_read(g + (0 .. Slots));
     requires table: Table(t, n);
     requires guide: Guide(g, t, n);
     requires slot:  s * Span <= w < (s + 1) * Span;
     terminates \true;
     assigns \nothing;
     ensures slot:  s < Slots;
     ensures order: g[s] <= g[s + 1] < n;
     ensures found: Narrowed(t, n, g[s], g[s + 1] - g[s] + 1, w);
  @/
  void lemma_guided(const uint32_t *g, const uint64_t *t, size_t n, size_t s, uint64_t w);
*/

#endif
