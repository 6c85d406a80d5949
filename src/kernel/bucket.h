/* SPDX-License-Identifier: MIT */
/* Bucketing: which interval or cube of one width holds a point, and how many points each holds.
 *
 * Coordinates are whole numbers of some unit, from 0 on, and the width is a whole number of the same unit:
 * the bucket of the rounded-down coordinate is that of the coordinate itself. */
#ifndef PBY_KERNEL_BUCKET_H
#define PBY_KERNEL_BUCKET_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/bucket.h"

/* The bucket of x: the one that holds it, whose centre is within half a width. */
/*@ requires point: 0 <= x;
    requires width: 1 <= width;
    terminates \true;
    assigns \nothing;
    ensures holds:  InBucket(x, \result, width);
    ensures centre: NearCentre(x, \result, width);
    ensures only:   \forall integer i; InBucket(x, i, width) ==> i == \result;
    ensures range:  0 <= \result <= x;
*/
int64_t pby_bucket(int64_t x, int64_t width);

/* The place of the cube with these d buckets among the side^d, the last coordinate running fastest. */
/*@ requires valid: \valid_read(cell + (0 .. d - 1));
    requires side:  1 <= side && Cubes(side, d) <= SIZE_MAX;
    requires cells: \forall integer j; 0 <= j < d ==> 0 <= cell[j] < side;
    terminates \true;
    assigns \nothing;
    ensures place: \result == Place(cell, d, side);
    ensures range: \result < Cubes(side, d);
*/
size_t pby_place(const int64_t *cell, size_t d, size_t side);

/* One record more: bar i grows by one and no other changes. */
/*@ requires bar:   i < n;
    requires place: \valid(y + (0 .. n - 1));
    requires room:  y[i] < INT64_MAX;
    terminates \true;
    assigns y[i];
    ensures one:  y[i] == \old(y[i]) + 1;
    ensures mass: Mass(y, n) == \old(Mass(y, n)) + 1;
*/
void pby_count_one(int64_t *y, size_t n, size_t i);

/* Counts m records into the bars they belong to: each bar grows by the records that are its own, and all
 * together by m. */
/*@ requires valid: \valid_read(place + (0 .. m - 1));
    requires bars:  \valid(y + (0 .. n - 1));
    requires apart: \separated(y + (0 .. n - 1), place + (0 .. m - 1));
    requires known: \forall integer j; 0 <= j < m ==> place[j] < n;
    requires room:  m <= INT64_MAX && Within(y, n, 0, INT64_MAX - m);
    terminates \true;
    assigns y[0 .. n - 1];
    ensures each: \forall integer i; 0 <= i < n ==> y[i] == \old(y[i]) + Occurs(place, m, i);
    ensures mass: Mass(y, n) == \old(Mass(y, n)) + m;
*/
void pby_count(int64_t *y, size_t n, const size_t *place, size_t m);

#endif
