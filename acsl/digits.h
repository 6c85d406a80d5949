/* SPDX-License-Identifier: MIT */
/* Numbers out of digits: the words that their contracts are written in. */
#ifndef PBY_ACSL_DIGITS_H
#define PBY_ACSL_DIGITS_H

#include "acsl/words.h"

/*@ // The number whose first digits, of base 256, are those of top, and then the first k of d.
    logic integer Number(int64_t *d, integer top, integer k) =
      k <= 0 ? top : Number(d, top, k - 1) * 256 + d[k - 1];

    predicate AllDigits(int64_t *d, integer n) = \forall integer i; 0 <= i < n ==> 0 <= d[i] <= 255;
*/

#endif
