/* SPDX-License-Identifier: MIT */
/* Suppression: a bar of which nothing is published, and what is published of the others. */
#ifndef PBY_ACSL_SUPPRESS_H
#define PBY_ACSL_SUPPRESS_H

#include "acsl/histogram.h"

/*@ // The value in the place of a count that is not published.
    logic integer Suppressed = INT64_MIN;

    // A noisy count under a threshold.
    logic integer Passed(integer v, integer threshold) = v >= threshold ? v : Suppressed;

    // A noisy count whose interval of that reach holds the count itself.
    predicate Reaching(integer noise, integer reach) = -reach <= noise <= reach;
*/

#endif
