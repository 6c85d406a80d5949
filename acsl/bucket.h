/* SPDX-License-Identifier: MIT */
/* Buckets: intervals of one width from 0 on, cubes of them, and records counted into them. */
#ifndef PBY_ACSL_BUCKET_H
#define PBY_ACSL_BUCKET_H

#include "acsl/statistic.h"

/*@ // The bucket i of that width holds x.
    predicate InBucket(integer x, integer i, integer width) = i * width <= x < (i + 1) * width;

    // x is at most half a width from the centre of bucket i, both doubled.
    predicate NearCentre(integer x, integer i, integer width) =
      -width <= 2 * x - (2 * i + 1) * width <= width;

    // side^d, the cubes of so many dimensions.
    logic integer Cubes(integer side, integer d) = d <= 0 ? 1 : side * Cubes(side, d - 1);

    // The place of a cube among them all, the last coordinate running fastest.
    logic integer Place(int64_t *cell, integer d, integer side) =
      d <= 0 ? 0 : Place(cell, d - 1, side) * side + cell[d - 1];

    // The number of the first m records that lie in bucket i.
    logic integer Occurs(size_t *place, integer m, integer i) =
      m <= 0 ? 0 : Occurs(place, m - 1, i) + (place[m - 1] == i ? 1 : 0);
*/

/*@ ghost
  // A place among the cubes of one dimension fewer, and a coordinate, make a place.
  /@ requires side:  1 <= side;
     requires place: 0 <= place < cubes;
     requires cell:  0 <= cell < side;
     terminates \true;
     assigns \nothing;
     ensures range: 0 <= place * side + cell < side * cubes;
  @/
  void lemma_place(size_t place, size_t cell, size_t side, size_t cubes);

  // Fewer dimensions have no more cubes.
  /@ requires side: 1 <= side;
     terminates \true;
     assigns \nothing;
     ensures order: \forall integer k; 0 <= k <= d ==> 1 <= Cubes(side, k) <= Cubes(side, d);
  @/
  void lemma_cubes(size_t side, size_t d);
*/

#endif
