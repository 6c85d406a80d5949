/* SPDX-License-Identifier: MIT */
/* Depths along a direction: the words that their contracts are written in. */
#ifndef PBY_ACSL_TUKEY_H
#define PBY_ACSL_TUKEY_H

#include "acsl/statistic.h"

/*@ // The records of n bars in bars 0 .. v, or in bars v .. n-1 where those are fewer; at most level.
    logic integer Fewer(int64_t *x, integer n, integer v, integer level) =
      \min(level, \min(Mass(x, v + 1), Mass(x, n) - Mass(x, v)));

    // Where the i-th point of a row lies along the direction.
    logic integer Place(integer from, integer stride, integer i) = from + i * stride;
*/

#endif
