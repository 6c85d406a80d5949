/* SPDX-License-Identifier: MIT */
/* The score of a quantile: the words that its contracts are written in. */
#ifndef PBY_ACSL_RANK_H
#define PBY_ACSL_RANK_H

#include "acsl/statistic.h"

/*@ // Values that many can be added to.
    predicate Moderate(int64_t *x, integer n) =
      \forall integer i; 0 <= i < n ==> -2305843009213693952 <= x[i] <= 2305843009213693952;

    // The number missing on two sides together, at most cap.
    logic integer Missing(integer a, integer b, integer cap) = \min(cap, \max(0, a) + \max(0, b));

    // Missing in units.
    logic integer Score(integer a, integer b, integer cap, integer unit) = Missing(a, b, cap) * unit;

    // The least of x[0] + i, x[1] + i - 1, .., x[i].
    logic integer Rising(int64_t *x, integer i) = i <= 0 ? x[0] : \min(x[i], Rising(x, i - 1) + 1);

    // Rising from the other end, for the last k of n values.
    logic integer Falling(int64_t *x, integer n, integer k) =
      k <= 1 ? x[n - 1] : \min(x[n - k], Falling(x, n, k - 1) + 1);
*/

#endif
