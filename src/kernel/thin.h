/* SPDX-License-Identifier: MIT */
/* Records that are seen with a given chance, counted digit by digit.
 *
 * Every record has a uniform number of its own, and is seen if that is below the chance. The two are compared
 * by their binary digits from the first on: the first in which they differ decides. So all records of a bar
 * are decided together, by how many of those that are left have a one in the next digit
 * (docs/theory/sampling.md). */
#ifndef PBY_KERNEL_THIN_H
#define PBY_KERNEL_THIN_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/thin.h"

/* Returns the number of ones among the first m bits, the lowest of a word first. */
/*@ requires valid: \valid_read(bits + (0 .. (m - 1) / 64));
    terminates \true;
    assigns \nothing;
    ensures ones:  \result == Ones(bits, m);
    ensures range: 0 <= \result <= m;
*/
size_t pby_ones(const uint64_t *bits, size_t m);

/* One digit of the chance, and of the records that are left: `ones` of them have a one in it. Where the
 * chance has a one, those with a zero are below it and are seen, and those with a one are left; where it has
 * a zero, those with a one are above it, and those with a zero are left. */
/*@ requires valid: \valid(seen) && \valid(left) && \separated(seen, left);
    requires digit: digit == 0 || digit == 1;
    requires part:  0 <= ones <= *left;
    requires fits:  0 <= *seen && *seen + *left <= INT64_MAX;
    terminates \true;
    assigns *seen, *left;
    ensures fewer: 0 <= *left && \old(*seen) <= *seen && *seen + *left <= \old(*seen + *left);
    behavior zero:
      assumes zero: digit == 0;
      ensures seen: *seen == \old(*seen);
      ensures left: *left == \old(*left) - ones;
    behavior one:
      assumes one: digit == 1;
      ensures seen: *seen == \old(*seen) + \old(*left) - ones;
      ensures left: *left == ones;
    complete behaviors;
    disjoint behaviors;
*/
void pby_thin(int64_t *seen, int64_t *left, int digit, int64_t ones);

#endif
