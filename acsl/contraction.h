/* SPDX-License-Identifier: MIT */
/* Contractions: maps of histograms that bring no two of them further apart. */
#ifndef PBY_ACSL_CONTRACTION_H
#define PBY_ACSL_CONTRACTION_H

#include "acsl/alignment.h"

/*@ // The sum that the first m counts bring to bar b.
    logic integer Gathered(size_t *bar, int64_t *counts, integer m, integer b) =
      m <= 0 ? 0 : Gathered(bar, counts, m - 1, b) + (bar[m - 1] == b ? counts[m - 1] : 0);

    // Every bar has room for what the first m counts bring to it.
    predicate Room(int64_t *y, integer n, size_t *bar, int64_t *counts, integer m) =
      \forall integer b; 0 <= b < n ==> y[b] + Gathered(bar, counts, m, b) <= INT64_MAX;

    // The distance of the sums that x and y bring to the first n bars, in all.
    logic integer Spread(size_t *bar, int64_t *x, int64_t *y, integer m, integer n) =
      n <= 0 ? 0
             : Spread(bar, x, y, m, n - 1) + Apart(Gathered(bar, x, m, n - 1), Gathered(bar, y, m, n - 1));
*/

/*@ ghost
  /@ requires valid:  \valid_read(bar + (0 .. m - 1)) && \valid_read(counts + (0 .. m - 1));
     requires counts: Counts(counts, m);
     terminates \true;
     assigns \nothing;
     ensures order: \forall integer k, b; 0 <= k <= m ==>
                      0 <= Gathered(bar, counts, k, b) <= Gathered(bar, counts, m, b);
  @/
  void lemma_gathered(const size_t *bar, const int64_t *counts, size_t m);

  // Bars are no further apart than what was gathered into them.
  /@ requires valid: \valid_read(bar + (0 .. m - 1)) && \valid_read(x + (0 .. m - 1)) &&
                     \valid_read(y + (0 .. m - 1));
     terminates \true;
     assigns \nothing;
     ensures closer: Spread(bar, x, y, m, n) <= Distance(x, y, m);
  @/
  void lemma_spread(const size_t *bar, const int64_t *x, const int64_t *y, size_t m, size_t n);
*/

#endif
