/* SPDX-License-Identifier: MIT */
/* Histograms: counts that are never negative, and what noise does to them. */
#ifndef PBY_ACSL_HISTOGRAM_H
#define PBY_ACSL_HISTOGRAM_H

#include "acsl/words.h"

/*@ predicate Counts(int64_t *x, integer n) = \forall integer i; 0 <= i < n ==> 0 <= x[i];

    // The number of occupied bars among the first n.
    logic integer Support(int64_t *x, integer n) =
      n <= 0 ? 0 : Support(x, n - 1) + (x[n - 1] != 0 ? 1 : 0);

    predicate Within(int64_t *a, integer n, integer lo, integer hi) =
      \forall integer i; 0 <= i < n ==> lo <= a[i] <= hi;

    logic integer Clamped(integer v) = \max(0, v);

    logic integer Saturated(integer v) = \max(INT64_MIN, \min(INT64_MAX, v));
*/

/*@ ghost
  /@ requires valid: \valid_read(x + (0 .. n - 1));
     terminates \true;
     assigns \nothing;
     ensures order: \forall integer k; 0 <= k <= n ==> 0 <= Support(x, k) <= Support(x, n);
     ensures place: \forall integer k; 0 <= k < n ==> x[k] != 0 ==> Support(x, k) < Support(x, n);
  @/
  void lemma_support(const int64_t *x, size_t n);
*/

#endif
