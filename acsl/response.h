/* Answers on a circle. */
#ifndef PBY_ACSL_RESPONSE_H
#define PBY_ACSL_RESPONSE_H

#include "acsl/histogram.h"

/*@ logic integer Turned(integer x, integer s, integer k) = x + s < k ? x + s : x + s - k;
*/

#endif
