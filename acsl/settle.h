/* SPDX-License-Identifier: MIT */
/* The open draws of a block, which are settled one by one. */
#ifndef PBY_ACSL_SETTLE_H
#define PBY_ACSL_SETTLE_H

#include "acsl/cells.h"

/*@ // The word w does not decide its cell, or the value v of its cell is that of a tail.
    predicate Open(uint64_t *t, integer n, integer w, integer v, integer lo, integer hi) =
      Cut(t, n, w) || v < lo || hi < v;

    predicate Rising(uint32_t *place, integer r) =
      \forall integer i, j; 0 <= i < j < r ==> place[i] < place[j];

    // The value that lies d beyond the end of the body, on the side of v.
    logic integer Beyond(integer v, integer lo, integer hi, integer d) = v < lo ? lo - 1 - d : hi + 1 + d;
*/

#endif
