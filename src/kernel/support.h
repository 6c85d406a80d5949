/* SPDX-License-Identifier: MIT */
/* Scores a threshold along a direction by how far it misses the support of a depth region: for every place
 * the depth of the deepest point there, of the deepest from there on, and its distance from a level. */
#ifndef PBY_KERNEL_SUPPORT_H
#define PBY_KERNEL_SUPPORT_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/support.h"

/* Raises what is known of m places to the depths of n points in a row: the first lies at `from`, each other
 * `stride` further on. */
/*@ requires valid:  \valid_read(depth + (0 .. n - 1));
    requires place:  \valid(best + (0 .. m - 1));
    requires apart:  \separated(best + (0 .. m - 1), depth + (0 .. n - 1));
    requires step:   -INT32_MAX <= stride <= INT32_MAX && 0 <= m <= INT32_MAX;
    requires inside: \forall integer i; 0 <= i < n ==> 0 <= Place(from, stride, i) < m;
    requires start:  0 <= from < m;
    terminates \true;
    assigns best[0 .. m - 1];
    ensures value: \forall integer b; 0 <= b < m ==>
                     best[b] == Highest{Pre}(depth, n, from, stride, b, \old(best[b]));
*/
void pby_support_row(int64_t *best, int64_t m, const int64_t *depth, size_t n, int64_t from, int64_t stride);

/* Takes every value for the greatest from it on. */
/*@ requires place: \valid(best + (0 .. n - 1));
    terminates \true;
    assigns best[0 .. n - 1];
    ensures value: \forall integer v; 0 <= v < n ==> best[v] == Beyond{Pre}(best, n, n - v);
*/
void pby_support_beyond(int64_t *best, size_t n);

/* Sets the number by which each place misses the support of the level; pby_support_beyond made best. The
 * place 0 is never too high, the last never too low. */
/*@ requires valid: \valid_read(best + (0 .. n - 1));
    requires place: \valid(fall + (0 .. n - 1));
    requires apart: \separated(fall + (0 .. n - 1), best + (0 .. n - 1));
    requires level: 0 < level <= INT32_MAX;
    requires range: \forall integer v; 0 <= v < n ==> 0 <= best[v] <= UINT32_MAX;
    terminates \true;
    assigns fall[0 .. n - 1];
    ensures value: \forall integer v; 0 <= v < n ==> fall[v] == Misses{Pre}(best, v, n, level);
*/
void pby_support_falls(int64_t *fall, const int64_t *best, size_t n, int64_t level);

#endif
