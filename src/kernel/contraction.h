/* SPDX-License-Identifier: MIT */
/* Maps in front of a mechanism that bring no two histograms further apart: a limit for every count, counts
 * gathered into the bars of a public table, bars left out that did not pass a gate. A table may leave counts
 * out, and so a filter is one too. What the maps compute is said here; that they are contractions is proved
 * of them in proofs/alignment/contraction.c. */
#ifndef PBY_KERNEL_CONTRACTION_H
#define PBY_KERNEL_CONTRACTION_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/contraction.h"
#include "kernel/suppressed.h"

/* Takes every count above the limit for the limit. y may be x itself. */
/*@ requires valid: \valid_read(x + (0 .. n - 1));
    requires place: \valid(y + (0 .. n - 1));
    requires apart: y == x || \separated(y + (0 .. n - 1), x + (0 .. n - 1));
    terminates \true;
    assigns y[0 .. n - 1];
    ensures value: \forall integer i; 0 <= i < n ==> y[i] == \min(\old(x[i]), limit);
*/
void pby_truncate(int64_t *y, const int64_t *x, size_t n, int64_t limit);

/* Adds every counts[i] to its bar y[bar[i]]; where bar[i] is n or more the count is left out. Stops in front
 * of the first count that would lift its bar above INT64_MAX, and returns how many were taken: all m, or
 * fewer when the sum of some bar does not fit. */
/*@ requires valid:  \valid_read(bar + (0 .. m - 1)) && \valid_read(counts + (0 .. m - 1));
    requires place:  \valid(y + (0 .. n - 1));
    requires apart:  \separated(y + (0 .. n - 1), bar + (0 .. m - 1)) &&
                     \separated(y + (0 .. n - 1), counts + (0 .. m - 1));
    requires counts: Counts(y, n) && Counts(counts, m);
    terminates \true;
    assigns y[0 .. n - 1];
    ensures each: \forall integer b; 0 <= b < n ==>
                    y[b] == \old(y[b]) + Gathered{Pre}(bar, counts, \result, b);
    behavior fits:
      assumes room: Room(y, n, bar, counts, m);
      ensures all:  \result == m;
    behavior full:
      assumes more:  !Room(y, n, bar, counts, m);
      ensures first: \result < m && bar[\result] < n && y[bar[\result]] + counts[\result] > INT64_MAX;
    complete behaviors;
    disjoint behaviors;
*/
size_t pby_gather(int64_t *y, size_t n, const size_t *bar, const int64_t *counts, size_t m);

/* Keeps x where the gate shows anything, and puts other in its place where the gate suppressed the bar. y may
 * be x itself. */
/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(gate + (0 .. n - 1));
    requires place: \valid(y + (0 .. n - 1));
    requires apart: y == x || \separated(y + (0 .. n - 1), x + (0 .. n - 1));
    requires gate:  \separated(y + (0 .. n - 1), gate + (0 .. n - 1));
    terminates \true;
    assigns y[0 .. n - 1];
    ensures value: \forall integer i; 0 <= i < n ==> y[i] == (gate[i] == Suppressed ? other : \old(x[i]));
*/
void pby_keep(int64_t *y, const int64_t *x, size_t n, const int64_t *gate, int64_t other);

/* Puts x in the place of y wherever a bar is kept in any case. */
/*@ requires valid: \valid_read(x + (0 .. n - 1)) && \valid_read(kept + (0 .. n - 1));
    requires place: \valid(y + (0 .. n - 1));
    requires apart: \separated(y + (0 .. n - 1), x + (0 .. n - 1)) &&
                    \separated(y + (0 .. n - 1), kept + (0 .. n - 1));
    terminates \true;
    assigns y[0 .. n - 1];
    ensures value: \forall integer i; 0 <= i < n ==> y[i] == (kept[i] ? x[i] : \old(y[i]));
*/
void pby_prefer(int64_t *y, const int64_t *x, size_t n, const _Bool *kept);

#endif
