/* SPDX-License-Identifier: MIT */
/* Ranges: a noisy count is published only where an interval around it holds the count itself. */
#ifndef PBY_KERNEL_RANGE_H
#define PBY_KERNEL_RANGE_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/suppressed.h"

/* Adds noise to every bar and keeps the sum where the noise is at most `reach` either way: the interval
 * from y[i] - reach to y[i] + reach then holds the count. y may be x itself. */
/*@ requires valid:  \valid_read(x + (0 .. n - 1)) && \valid_read(noise + (0 .. n - 1));
    requires place:  \valid(y + (0 .. n - 1));
    requires apart:  y == x || \separated(y + (0 .. n - 1), x + (0 .. n - 1));
    requires noise:  \separated(y + (0 .. n - 1), noise + (0 .. n - 1));
    requires reach:  0 <= reach <= INT32_MAX;
    requires counts: Within(x, n, 0, INT64_MAX - 2 * reach);
    terminates \true;
    assigns y[0 .. n - 1];
    ensures kept:  \forall integer i; 0 <= i < n ==> Reaching(noise[i], reach) ==>
                     y[i] == \old(x[i]) + noise[i];
    ensures lost:  \forall integer i; 0 <= i < n ==> !Reaching(noise[i], reach) ==> y[i] == Suppressed;
    ensures holds: \forall integer i; 0 <= i < n ==> y[i] != Suppressed ==>
                     -reach <= y[i] && y[i] - reach <= \old(x[i]) <= y[i] + reach <= INT64_MAX;
*/
void pby_ranges(int64_t *y, const int64_t *x, size_t n, const int64_t *noise, int64_t reach);

#endif
