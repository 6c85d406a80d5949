/* SPDX-License-Identifier: MIT */
/* Supports of depth regions: the words that their contracts are written in. */
#ifndef PBY_ACSL_SUPPORT_H
#define PBY_ACSL_SUPPORT_H

#include "acsl/tukey.h"

/*@ // The greatest of v and the depths of those of the first n points of a row that lie at place b.
    logic integer Highest(int64_t *depth, integer n, integer from, integer stride, integer b, integer v) =
      n <= 0 ? v
             : Place(from, stride, n - 1) == b
                   ? \max(Highest(depth, n - 1, from, stride, b, v), depth[n - 1])
                   : Highest(depth, n - 1, from, stride, b, v);

    // The greatest of the last k of n values.
    logic integer Beyond(int64_t *x, integer n, integer k) =
      k <= 1 ? x[n - 1] : \max(x[n - k], Beyond(x, n, k - 1));

    // By how much a threshold v misses the support of a level, x[v] being the greatest depth from v on.
    logic integer Misses(int64_t *x, integer v, integer n, integer level) =
      \max(\max(0, v == 0 ? 0 : level - x[v]), v + 1 >= n ? 0 : x[v + 1] + 1 - level);
*/

#endif
