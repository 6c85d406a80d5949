/* SPDX-License-Identifier: MIT */
/* Statistics of a histogram: the words that their contracts are written in. */
#ifndef PBY_ACSL_STATISTIC_H
#define PBY_ACSL_STATISTIC_H

#include "acsl/histogram.h"

/*@ // The records in the first n bars.
    logic integer Mass(int64_t *x, integer n) = n <= 0 ? 0 : Mass(x, n - 1) + x[n - 1];

    predicate Reaches(int64_t *x, integer i, integer k) = x[i] >= k;

    predicate NoneReaches(int64_t *x, integer from, integer to, integer k) =
      \forall integer i; from <= i < to ==> x[i] < k;

    // Bar i holds the r-th record, counted from 1 in the order of the bars.
    predicate Holds(int64_t *x, integer i, integer r) = Mass(x, i) < r <= Mass(x, i + 1);

    // m records are num/den of all, or more.
    predicate Share(integer m, integer all, integer num, integer den) = num * all <= den * m;
*/

/*@ ghost
  /@ requires valid:  \valid_read(x + (0 .. n - 1));
     requires counts: Counts(x, n);
     terminates \true;
     assigns \nothing;
     ensures order: \forall integer k; 0 <= k <= n ==> 0 <= Mass(x, k) <= Mass(x, n);
  @/
  void lemma_mass(const int64_t *x, size_t n);
*/

/*@ ghost
  /@ requires valid:  \valid_read(x + (0 .. n - 1));
     requires counts: Counts(x, n);
     terminates \true;
     assigns \nothing;
     ensures rises: \forall integer j, k; 0 <= j <= k <= n ==> Mass(x, j) <= Mass(x, k);
  @/
  void lemma_mass_rises(const int64_t *x, size_t n);
*/

/*@ ghost
  /@ requires den:   0 < den;
     requires short: !Share(m, all, num, den);
     terminates \true;
     assigns \nothing;
     ensures fewer: \forall integer k; k <= m ==> !Share(k, all, num, den);
  @/
  void lemma_share(int64_t m, int64_t all, int64_t num, int64_t den);
*/

#endif
