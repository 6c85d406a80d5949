/* SPDX-License-Identifier: MIT */
/* Halves: the leading 32 digits of words. */
#ifndef PBY_ACSL_HALVES_H
#define PBY_ACSL_HALVES_H

#include "acsl/cells.h"

/*@ // The number of words that begin with a half, and the number of halves.
    logic integer HalfSpan = 4294967296;

    // The word w begins with the half p, which stands for the word p HalfSpan.
    predicate Leads(integer p, integer w) = p * HalfSpan <= w < (p + 1) * HalfSpan;
*/

#endif
