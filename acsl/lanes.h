/* SPDX-License-Identifier: MIT */
/* Lanes: the leading 16 digits of words. */
#ifndef PBY_ACSL_LANES_H
#define PBY_ACSL_LANES_H

#include "acsl/cells.h"

/*@ // The number of words that begin with a lane.
    logic integer LaneSpan = 281474976710656;

    // The word w begins with the lane l.
    predicate Begins(integer w, integer l) = l * LaneSpan <= w < (l + 1) * LaneSpan;
*/

#endif
