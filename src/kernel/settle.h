/* SPDX-License-Identifier: MIT */
/* Settles the open draws of a block: finds where a tail's value lies, and puts settled values into their
 * places. */
#ifndef PBY_KERNEL_SETTLE_H
#define PBY_KERNEL_SETTLE_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/settle.h"

/* Puts *value, which is outside lo .. hi on one side or the other, as far beyond that end as is said, counted
 * from 0. 1 when it fits; else 0, and nothing is put. */
/*@ requires place: \valid(value);
    terminates \true;
    assigns *value;
    behavior fits:
      assumes fits: 0 <= beyond && INT64_MIN <= Beyond(*value, lo, hi, beyond) <= INT64_MAX;
      ensures yes:   \result == 1;
      ensures value: *value == Beyond(\old(*value), lo, hi, beyond);
    behavior leaves:
      assumes leaves: !(0 <= beyond && INT64_MIN <= Beyond(*value, lo, hi, beyond) <= INT64_MAX);
      ensures no:   \result == 0;
      ensures same: *value == \old(*value);
    complete behaviors;
    disjoint behaviors;
*/
int pby_beyond(int64_t *value, int64_t lo, int64_t hi, int64_t beyond);

/* Puts settled values in the places that were listed for them; the others stay. */
/*@ requires valid:  \valid(value + (0 .. m - 1)) && \valid_read(open + (0 .. r - 1)) &&
                     \valid_read(settled + (0 .. r - 1));
    requires apart:  \separated(value + (0 .. m - 1), open + (0 .. r - 1)) &&
                     \separated(value + (0 .. m - 1), settled + (0 .. r - 1));
    requires places: \forall integer j; 0 <= j < r ==> open[j] < m;
    requires rising: Rising(open, r);
    terminates \true;
    assigns value[0 .. m - 1];
    ensures put:  \forall integer j; 0 <= j < r ==> value[open[j]] == settled[j];
    ensures rest: \forall integer k; 0 <= k < m && (\forall integer j; 0 <= j < r ==> open[j] != k) ==>
                    value[k] == \old(value[k]);
*/
void pby_put(int64_t *value, size_t m, const uint32_t *open, const int64_t *settled, size_t r);

#endif
