/* SPDX-License-Identifier: MIT */
/* Truncated Tukey depth along one direction: of a point, the fewer of the records on its two sides, itself
 * among both; and the least of that over several directions, a row of points at a time. */
#ifndef PBY_KERNEL_TUKEY_H
#define PBY_KERNEL_TUKEY_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/tukey.h"

/* Places from lo to before hi. */
typedef struct pby_tukey_span {
    size_t lo, hi;
} pby_tukey_span;

/* table[v]: how many records x lie in bars 0 .. v, or in bars v .. n-1 where those are fewer; at most level.
 * Returns places that have the level; outside of them each count is read once or twice, and between them none
 * is. */
/*@ requires valid:  \valid_read(x + (0 .. n - 1));
    requires place:  \valid(table + (0 .. n - 1));
    requires apart:  \separated(table + (0 .. n - 1), x + (0 .. n - 1));
    requires counts: Counts(x, n);
    requires level:  0 <= level;
    terminates \true;
    assigns table[0 .. n - 1];
    ensures value: \forall integer v; 0 <= v < n ==> table[v] == Fewer{Pre}(x, n, v, level);
    ensures span:  0 <= \result.lo <= \result.hi <= n;
    ensures whole: \forall integer v; \result.lo <= v < \result.hi ==> table[v] == level;
*/
pby_tukey_span pby_tukey_table(int64_t *table, const int64_t *x, size_t n, int64_t level);

/* Lowers the depths of n points in a row to what a table of m values says of them: of the first point at
 * `from`, of each other `stride` further on. */
/*@ requires valid:  \valid_read(table + (0 .. m - 1));
    requires place:  \valid(depth + (0 .. n - 1));
    requires apart:  \separated(depth + (0 .. n - 1), table + (0 .. m - 1));
    requires step:   -INT32_MAX <= stride <= INT32_MAX && 0 <= m <= INT32_MAX;
    requires inside: \forall integer i; 0 <= i < n ==> 0 <= Place(from, stride, i) < m;
    requires start:  0 <= from < m;
    terminates \true;
    assigns depth[0 .. n - 1];
    ensures value: \forall integer i; 0 <= i < n ==>
                     depth[i] == \min(\old(depth[i]), \old(table[Place(from, stride, i)]));
*/
void pby_tukey_row(int64_t *depth, size_t n, const int64_t *table, int64_t m, int64_t from, int64_t stride);

#endif
