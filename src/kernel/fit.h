/* SPDX-License-Identifier: MIT */
/* Tests of the kernel's hypotheses, which the code outside asks before it relies on a contract.
 *
 * No branch and no address depends on a value: timing-safe code asks as well, and makes public the answer
 * alone. */
#ifndef PBY_KERNEL_FIT_H
#define PBY_KERNEL_FIT_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/histogram.h"

/* 1 when every value is from lo to hi, else 0. */
/*@ requires valid: \valid_read(a + (0 .. n - 1));
    terminates \true;
    assigns \nothing;
    behavior within:
      assumes within: Within(a, n, lo, hi);
      ensures yes: \result == 1;
    behavior outside:
      assumes outside: !Within(a, n, lo, hi);
      ensures no: \result == 0;
    complete behaviors;
    disjoint behaviors;
*/
int pby_within(const int64_t *a, size_t n, int64_t lo, int64_t hi);

/* 1 when n cells, the first of which is worth `first`, are some, can be guided to and have values that fit;
 * else 0. */
/*@ terminates \true;
    assigns \nothing;
    behavior fit:
      assumes fit: 0 < n <= UINT32_MAX && first + n - 1 <= INT64_MAX;
      ensures yes: \result == 1;
    behavior beyond:
      assumes beyond: !(0 < n <= UINT32_MAX && first + n - 1 <= INT64_MAX);
      ensures no: \result == 0;
    complete behaviors;
    disjoint behaviors;
*/
int pby_cells_fit(int64_t first, size_t n);

#endif
