/* SPDX-License-Identifier: MIT */
/* Records that are kept or left out by the binary digits of a chance. */
#ifndef PBY_ACSL_THIN_H
#define PBY_ACSL_THIN_H

#include "acsl/silent.h"

/*@ // The number of ones among the first m bits.
    logic integer Ones(uint64_t *bits, integer m) =
      m <= 0 ? 0 : Ones(bits, m - 1) + Bit(bits, m - 1);
*/

#endif
