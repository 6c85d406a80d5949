/* SPDX-License-Identifier: MIT */
/* Noise on a histogram of counts. */
#ifndef PBY_KERNEL_HISTOGRAM_H
#define PBY_KERNEL_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/histogram.h"

/* Returns the number of occupied bars. */
/*@ requires valid: \valid_read(x + (0 .. n - 1));
    terminates \true;
    assigns \nothing;
    ensures count: \result == Support(x, n);
    ensures range: \result <= n;
*/
size_t pby_support(const int64_t *x, size_t n);

/* Adds noise that is never positive to the occupied bars, clamped at zero. An empty bar stays empty
 * and takes no noise: the j-th occupied bar takes noise[j]. Returns how many noise values were used,
 * which is the support. No bar grows, and none loses more than the bound. y may be x itself. */
/*@ requires valid:  \valid_read(x + (0 .. n - 1)) && \valid_read(noise + (0 .. Support(x, n) - 1));
    requires place:  \valid(y + (0 .. n - 1));
    requires apart:  y == x || \separated(y + (0 .. n - 1), x + (0 .. n - 1));
    requires noise:  \separated(y + (0 .. n - 1), noise + (0 .. Support(x, n) - 1));
    requires counts: Counts(x, n);
    requires bound:  0 <= bound && Within(noise, Support(x, n), -bound, 0);
    terminates \true;
    assigns y[0 .. n - 1];
    ensures used:  \result == Support{Pre}(x, n);
    ensures empty: \forall integer i; 0 <= i < n ==> \old(x[i]) == 0 ==> y[i] == 0;
    ensures value: \forall integer i; 0 <= i < n ==> \old(x[i]) > 0 ==>
                     y[i] == Clamped(\old(x[i]) + noise[Support{Pre}(x, i)]);
    ensures never_up: \forall integer i; 0 <= i < n ==> 0 <= y[i] <= \old(x[i]);
    ensures loss:     \forall integer i; 0 <= i < n ==> \old(x[i]) - y[i] <= bound;
*/
size_t pby_shrink(int64_t *y, const int64_t *x, size_t n, const int64_t *noise, int64_t bound);

/* Adds one noise value to every bar, y[i] = x[i] + noise[i], saturated at the ends of int64_t.
 * y may be x itself. */
/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(noise + (0 .. n - 1));
    requires place: \valid(y + (0 .. n - 1));
    requires apart: y == x || \separated(y + (0 .. n - 1), x + (0 .. n - 1));
    requires noise: \separated(y + (0 .. n - 1), noise + (0 .. n - 1));
    terminates \true;
    assigns y[0 .. n - 1];
    ensures value: \forall integer i; 0 <= i < n ==> y[i] == Saturated(\old(x[i]) + noise[i]);
*/
void pby_perturb(int64_t *y, const int64_t *x, size_t n, const int64_t *noise);

#endif
