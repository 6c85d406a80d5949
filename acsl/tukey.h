/* Depths along a direction: the words that their contracts are written in. */
#ifndef PBY_ACSL_TUKEY_H
#define PBY_ACSL_TUKEY_H

#include "acsl/statistic.h"

/*@ // Where the i-th point of a row lies along the direction.
    logic integer Place(integer from, integer stride, integer i) = from + i * stride;
*/

#endif
