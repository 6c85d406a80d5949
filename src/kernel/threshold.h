/* SPDX-License-Identifier: MIT */
/* Counts under a threshold: what does not reach it is not published. */
#ifndef PBY_KERNEL_THRESHOLD_H
#define PBY_KERNEL_THRESHOLD_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/suppressed.h"

/* Adds noise to the occupied bars, saturated at the largest count, and keeps what reaches the threshold.
 * An empty bar is suppressed and takes no noise: the j-th occupied bar takes noise[j]. Returns how many
 * noise values were used, which is the support. y may be x itself. */
/*@ requires valid:  \valid_read(x + (0 .. n - 1)) && \valid_read(noise + (0 .. Support(x, n) - 1));
    requires place:  \valid(y + (0 .. n - 1));
    requires apart:  y == x || \separated(y + (0 .. n - 1), x + (0 .. n - 1));
    requires noise:  \separated(y + (0 .. n - 1), noise + (0 .. Support(x, n) - 1));
    requires counts: Counts(x, n);
    requires some:   1 <= threshold;
    terminates \true;
    assigns y[0 .. n - 1];
    ensures used:  \result == Support{Pre}(x, n);
    ensures empty: \forall integer i; 0 <= i < n ==> \old(x[i]) == 0 ==> y[i] == Suppressed;
    ensures value: \forall integer i; 0 <= i < n ==> \old(x[i]) > 0 ==>
                     y[i] == Passed(Saturated(\old(x[i]) + noise[Support{Pre}(x, i)]), threshold);
    ensures none_below: \forall integer i; 0 <= i < n ==> y[i] == Suppressed || threshold <= y[i];
*/
size_t pby_threshold(int64_t *y, const int64_t *x, size_t n, const int64_t *noise, int64_t threshold);

/* One more in every bar: where all occur, if only with 0, none is empty then. y may be x itself. */
/*@ requires valid:  \valid_read(x + (0 .. n - 1));
    requires place:  \valid(y + (0 .. n - 1));
    requires apart:  y == x || \separated(y + (0 .. n - 1), x + (0 .. n - 1));
    requires counts: Within(x, n, 0, INT64_MAX - 1);
    terminates \true;
    assigns y[0 .. n - 1];
    ensures value: \forall integer i; 0 <= i < n ==> y[i] == \old(x[i]) + 1;
*/
void pby_one_more(int64_t *y, const int64_t *x, size_t n);

/* One less in every bar of which something is published. */
/*@ requires place: \valid(y + (0 .. n - 1));
    terminates \true;
    assigns y[0 .. n - 1];
    ensures value: \forall integer i; 0 <= i < n ==>
                     y[i] == (\old(y[i]) == Suppressed ? Suppressed : \old(y[i]) - 1);
*/
void pby_one_less(int64_t *y, size_t n);

#endif
