/* SPDX-License-Identifier: MIT */
/* Statistics of a histogram: n bars in order, x[i] records in bar i.
 *
 * A statistic that is a bar is answered by its index; n, the index of no bar, says that there is none.
 * An empty histogram has no maximum, no mode and no median: never bar 0. */
#ifndef PBY_KERNEL_STATISTIC_H
#define PBY_KERNEL_STATISTIC_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/statistic.h"

/* The last bar that holds at least k records. */
/*@ requires valid: \valid_read(x + (0 .. n - 1));
    terminates \true;
    assigns \nothing;
    behavior found:
      assumes !NoneReaches(x, 0, n, k);
      ensures index:    \result < n;
      ensures reaches:  Reaches(x, \result, k);
      ensures greatest: NoneReaches(x, \result + 1, n, k);
    behavior none:
      assumes NoneReaches(x, 0, n, k);
      ensures none: \result == n;
    complete behaviors;
    disjoint behaviors;
*/
size_t pby_stat_max_k(const int64_t *x, size_t n, int64_t k);

/* The first bar that holds at least k records. */
/*@ requires valid: \valid_read(x + (0 .. n - 1));
    terminates \true;
    assigns \nothing;
    behavior found:
      assumes !NoneReaches(x, 0, n, k);
      ensures index:   \result < n;
      ensures reaches: Reaches(x, \result, k);
      ensures least:   NoneReaches(x, 0, \result, k);
    behavior none:
      assumes NoneReaches(x, 0, n, k);
      ensures none: \result == n;
    complete behaviors;
    disjoint behaviors;
*/
size_t pby_stat_min_k(const int64_t *x, size_t n, int64_t k);

/* Returns the number of bars between the first occupied bar and the last, the last one counted: the maximum
 * less the minimum. n when every bar is empty. */
/*@ requires valid: \valid_read(x + (0 .. n - 1));
    terminates \true;
    assigns \nothing;
    behavior occupied:
      assumes !NoneReaches(x, 0, n, 1);
      ensures width: \exists integer lo; 0 <= lo <= lo + \result < n &&
                       Reaches(x, lo, 1) && NoneReaches(x, 0, lo, 1) &&
                       Reaches(x, lo + \result, 1) && NoneReaches(x, lo + \result + 1, n, 1);
    behavior empty:
      assumes NoneReaches(x, 0, n, 1);
      ensures none: \result == n;
    complete behaviors;
    disjoint behaviors;
*/
size_t pby_stat_range(const int64_t *x, size_t n);

/* The occupied bars, in order, into bars, which has room for them; returns how many they are. */
/*@ requires valid:  \valid_read(x + (0 .. n - 1)) && \valid(bars + (0 .. Support(x, n) - 1));
    requires apart:  \separated(x + (0 .. n - 1), bars + (0 .. Support(x, n) - 1));
    terminates \true;
    assigns bars[0 .. Support(x, n) - 1];
    ensures count: \result == Support(x, n);
    ensures bars:  \forall integer i; 0 <= i < n ==> x[i] != 0 ==> bars[Support(x, i)] == i;
*/
size_t pby_stat_support(size_t *bars, const int64_t *x, size_t n);

/* The first of the fullest bars. */
/*@ requires valid: \valid_read(x + (0 .. n - 1));
    terminates \true;
    assigns \nothing;
    behavior occupied:
      assumes !NoneReaches(x, 0, n, 1);
      ensures index:   \result < n;
      ensures holds:   Reaches(x, \result, 1);
      ensures fullest: \forall integer i; 0 <= i < n ==> x[i] <= x[\result];
      ensures first:   \forall integer i; 0 <= i < \result ==> x[i] < x[\result];
    behavior empty:
      assumes NoneReaches(x, 0, n, 1);
      ensures none: \result == n;
    complete behaviors;
    disjoint behaviors;
*/
size_t pby_stat_mode(const int64_t *x, size_t n);

/* The number of records, or -1 when that is beyond INT64_MAX. */
/*@ requires valid:  \valid_read(x + (0 .. n - 1));
    requires counts: Counts(x, n);
    terminates \true;
    assigns \nothing;
    behavior fits:
      assumes Mass(x, n) <= INT64_MAX;
      ensures total: \result == Mass(x, n);
      ensures sign:  0 <= \result;
    behavior beyond:
      assumes Mass(x, n) > INT64_MAX;
      ensures beyond: \result == -1;
    complete behaviors;
    disjoint behaviors;
*/
int64_t pby_stat_total(const int64_t *x, size_t n);

/* The bar of the r-th record, counted from 1 in the order of the bars; n when there are fewer. */
/*@ requires valid:  \valid_read(x + (0 .. n - 1));
    requires counts: Counts(x, n);
    requires rank:   1 <= r;
    terminates \true;
    assigns \nothing;
    behavior found:
      assumes r <= Mass(x, n);
      ensures index:    \result < n;
      ensures holds:    Holds(x, \result, r);
      ensures occupied: Reaches(x, \result, 1);
    behavior none:
      assumes Mass(x, n) < r;
      ensures none: \result == n;
    complete behaviors;
    disjoint behaviors;
*/
size_t pby_stat_rank(const int64_t *x, size_t n, int64_t r);

/* The lower median: fewer than half of the records lie below this bar, and at most half above it. */
/*@ requires valid:  \valid_read(x + (0 .. n - 1));
    requires counts: Counts(x, n);
    requires fits:   Mass(x, n) <= INT64_MAX;
    terminates \true;
    assigns \nothing;
    behavior occupied:
      assumes 0 < Mass(x, n);
      ensures index:  \result < n;
      ensures below:  2 * Mass(x, \result) < Mass(x, n);
      ensures above:  2 * (Mass(x, n) - Mass(x, \result + 1)) <= Mass(x, n);
      ensures holds:  Reaches(x, \result, 1);
    behavior empty:
      assumes Mass(x, n) <= 0;
      ensures none: \result == n;
    complete behaviors;
    disjoint behaviors;
*/
size_t pby_stat_median(const int64_t *x, size_t n);

/* The num/den quantile: the first occupied bar such that it and those before it hold at least that share
 * of the records. The minimum at 0, the lower median at 1/2, the maximum at 1. */
/*@ requires valid:  \valid_read(x + (0 .. n - 1));
    requires counts: Counts(x, n);
    requires fits:   Mass(x, n) <= INT64_MAX;
    requires share:  0 <= num <= den && 0 < den;
    terminates \true;
    assigns \nothing;
    behavior occupied:
      assumes 0 < Mass(x, n);
      ensures index: \result < n;
      ensures share: Share(Mass(x, \result + 1), Mass(x, n), num, den);
      ensures least: Mass(x, \result) == 0 || !Share(Mass(x, \result), Mass(x, n), num, den);
      ensures holds: Reaches(x, \result, 1);
    behavior empty:
      assumes Mass(x, n) <= 0;
      ensures none: \result == n;
    complete behaviors;
    disjoint behaviors;
*/
size_t pby_stat_quantile(const int64_t *x, size_t n, int32_t num, int32_t den);

#endif
