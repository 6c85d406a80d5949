/* SPDX-License-Identifier: MIT */
/* Rounding at random: a number from 0 to m becomes one of the two ends, and keeps its mean. */
#ifndef PBY_KERNEL_ROUNDING_H
#define PBY_KERNEL_ROUNDING_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/rounding.h"

/* y[i] is 1 where x[i] + offset[i] reaches m, and else 0; y may be x itself. Of the m offsets from 0 to m - 1
 * as many bring x[i] up to m as x[i] is: with each equally likely y[i] is 1 with chance x[i]/m. No branch and
 * no address depends on a number or on its offset. */
/*@ requires valid:   \valid_read(x + (0 .. n - 1)) && \valid_read(offset + (0 .. n - 1));
    requires place:   \valid(y + (0 .. n - 1));
    requires apart:   y == x || \separated(y + (0 .. n - 1), x + (0 .. n - 1));
    requires offset:  \separated(y + (0 .. n - 1), offset + (0 .. n - 1));
    requires ends:    1 <= m <= INT64_MAX / 2;
    requires numbers: Within(x, n, 0, m);
    requires offsets: Within(offset, n, 0, m - 1);
    terminates \true;
    assigns y[0 .. n - 1];
    ensures value: \forall integer i; 0 <= i < n ==> y[i] == (\old(x[i]) + offset[i] >= m ? 1 : 0);
    ensures range: Within(y, n, 0, 1);
    ensures law:   \forall integer v; 0 <= v <= m ==> Tops(v, m, m) == v;
*/
void pby_round_up(int64_t *y, const int64_t *x, size_t n, const int64_t *offset, int64_t m);

#endif
