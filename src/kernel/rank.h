/* SPDX-License-Identifier: MIT */
/* The number of records that must change before a value is the quantile of typical data: the records missing
 * on either side of each value, the most missing of values so far apart, and the score. */
#ifndef PBY_KERNEL_RANK_H
#define PBY_KERNEL_RANK_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/rank.h"

/* Sets g[v] to the number of records that the bars 0 .. v lack of m; it may be below 0. */
/*@ requires valid:  \valid_read(x + (0 .. n - 1));
    requires place:  \valid(g + (0 .. n - 1));
    requires apart:  \separated(g + (0 .. n - 1), x + (0 .. n - 1));
    requires counts: Counts(x, n) && Mass(x, n) <= INT32_MAX;
    requires rank:   0 <= m <= INT32_MAX;
    terminates \true;
    assigns g[0 .. n - 1];
    ensures value: \forall integer v; 0 <= v < n ==> g[v] == m - Mass{Pre}(x, v + 1);
*/
void pby_rank_below(int64_t *g, const int64_t *x, size_t n, int64_t m);

/* Raises every value to the one `step` bars ahead, as it is then, and `more`: beginning with the last. */
/*@ requires place: \valid(g + (0 .. n - 1));
    requires range: Moderate(g, n) && n <= INT32_MAX && 0 < step && -1 <= more <= 1;
    terminates \true;
    assigns g[0 .. n - 1];
    ensures value: \forall integer v; 0 <= v < n ==>
                     g[v] == (v + step < n ? \max(\old(g[v]), g[v + step] + more) : \old(g[v]));
*/
void pby_rank_ahead(int64_t *g, size_t n, size_t step, int64_t more);

/* Raises every value to the one `step` bars behind and `more`, beginning with the first. */
/*@ requires place: \valid(g + (0 .. n - 1));
    requires range: Moderate(g, n) && n <= INT32_MAX && 0 < step && -1 <= more <= 1;
    terminates \true;
    assigns g[0 .. n - 1];
    ensures value: \forall integer v; 0 <= v < n ==>
                     g[v] == (step <= v ? \max(\old(g[v]), g[v - step] + more) : \old(g[v]));
*/
void pby_rank_behind(int64_t *g, size_t n, size_t step, int64_t more);

/* Raises every value to that of another row and `more`. */
/*@ requires valid: \valid_read(x + (0 .. n - 1));
    requires place: \valid(g + (0 .. n - 1));
    requires apart: \separated(g + (0 .. n - 1), x + (0 .. n - 1));
    requires range: Moderate(x, n) && 0 <= more <= INT32_MAX;
    terminates \true;
    assigns g[0 .. n - 1];
    ensures value: \forall integer v; 0 <= v < n ==> g[v] == \max(\old(g[v]), \old(x[v]) + more);
*/
void pby_rank_join(int64_t *g, const int64_t *x, size_t n, int64_t more);

/* Sets a to the number missing on both sides, at most cap, in units. */
/*@ requires valid: \valid_read(b + (0 .. n - 1));
    requires place: \valid(a + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1));
    requires range: Moderate(a, n) && Moderate(b, n);
    requires units: 0 < cap <= INT32_MAX && 0 < unit <= INT32_MAX;
    terminates \true;
    assigns a[0 .. n - 1];
    ensures value: \forall integer v; 0 <= v < n ==>
                     a[v] == Score(\old(a[v]), \old(b[v]), cap, unit);
*/
void pby_rank_both(int64_t *a, const int64_t *b, size_t n, int64_t cap, int64_t unit);

/* Lowers every score to one more than that of the bar in front of it, beginning with the first. */
/*@ requires place: \valid(f + (0 .. n - 1));
    requires range: \forall integer i; 0 <= i < n ==> 0 <= f[i] < INT64_MAX;
    terminates \true;
    assigns f[0 .. n - 1];
    ensures value: \forall integer v; 0 <= v < n ==> f[v] == Rising{Pre}(f, v);
    ensures still: \forall integer i; 0 <= i < n ==> 0 <= f[i] < INT64_MAX;
*/
void pby_rank_rise(int64_t *f, size_t n);

/* Lowers every score to one more than that of the bar behind it, beginning with the last. */
/*@ requires place: \valid(f + (0 .. n - 1));
    requires range: \forall integer i; 0 <= i < n ==> 0 <= f[i] < INT64_MAX;
    terminates \true;
    assigns f[0 .. n - 1];
    ensures value: \forall integer v; 0 <= v < n ==> f[v] == Falling{Pre}(f, n, n - v);
*/
void pby_rank_fall(int64_t *f, size_t n);

#endif
