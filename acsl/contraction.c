/* SPDX-License-Identifier: MIT */
/* Proofs of the lemmas of contraction.h, by induction as loops. Nothing here runs. */
#include "acsl/contraction.h"

/*@ ghost
  void lemma_gathered(const size_t *bar, const int64_t *counts, size_t m)
  {
    size_t i = 0;
    /@ loop invariant range: i <= m;
       loop invariant order: \forall integer k, b; 0 <= k <= i ==>
                               0 <= Gathered(bar, counts, k, b) <= Gathered(bar, counts, i, b);
       loop assigns i;
       loop variant m - i; @/
    while (i < m) i++;
  }

  // One count more moves one bar at most, and that by no more than its two values are apart.
  /@ requires valid: \valid_read(bar + (0 .. m)) && \valid_read(x + (0 .. m)) && \valid_read(y + (0 .. m));
     terminates \true;
     assigns \nothing;
     ensures step: Spread(bar, x, y, m + 1, n) <= Spread(bar, x, y, m, n) + Apart(x[m], y[m]);
  @/
  void lemma_spread_step(const size_t *bar, const int64_t *x, const int64_t *y, size_t m, size_t n)
  {
    size_t b = 0;
    /@ loop invariant range: b <= n;
       loop invariant step:  Spread(bar, x, y, m + 1, b) <=
                             Spread(bar, x, y, m, b) + (bar[m] < b ? Apart(x[m], y[m]) : 0);
       loop assigns b;
       loop variant n - b; @/
    while (b < n) b++;
  }

  void lemma_spread(const size_t *bar, const int64_t *x, const int64_t *y, size_t m, size_t n)
  {
    size_t b = 0, i = 0;
    /@ loop invariant range: b <= n;
       loop invariant none:  Spread(bar, x, y, 0, b) == 0;
       loop assigns b;
       loop variant n - b; @/
    while (b < n) b++;
    /@ loop invariant range:  i <= m;
       loop invariant closer: Spread(bar, x, y, i, n) <= Distance(x, y, i);
       loop assigns i;
       loop variant m - i; @/
    while (i < m) {
      lemma_spread_step(bar, x, y, i, n);
      i++;
    }
  }
*/
