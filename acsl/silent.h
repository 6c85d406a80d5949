/* What the silent functions compute, beside cells and histograms. */
#ifndef PBY_ACSL_SILENT_H
#define PBY_ACSL_SILENT_H

#include "acsl/cells.h"
#include "acsl/histogram.h"

/*@ // The most that a value may be, on either side, for one more digit to fit.
    logic integer Widest = 9007199254740992;

    // v with one more digit behind it, away from the boundary between -1 and 0.
    logic integer Appended(integer v, integer base, integer digit) =
      v < 0 ? -1 - ((-1 - v) * base + digit) : v * base + digit;
*/

#endif
