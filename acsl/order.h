/* SPDX-License-Identifier: MIT */
/* Names in order, and what is a permutation. */
#ifndef PBY_ACSL_ORDER_H
#define PBY_ACSL_ORDER_H

#include "acsl/words.h"

/*@ // The bytes a[0 .. n-1] stand before b[0 .. m-1] in a dictionary: they are equal up to i, and there a
    // ends or is less.
    predicate Parts(uint8_t *a, integer n, uint8_t *b, integer m, integer i) =
      0 <= i <= n && i < m && (\forall integer j; 0 <= j < i ==> a[j] == b[j]) && (i == n || a[i] < b[i]);

    predicate Precedes(uint8_t *a, integer n, uint8_t *b, integer m) =
      \exists integer i; Parts(a, n, b, m, i);

    predicate Has(uint64_t *order, integer n, integer p) = \exists integer i; 0 <= i < n && order[i] == p;

    // order[0 .. n-1] has every number below n, and none twice.
    predicate Permutation(uint64_t *order, integer n) =
      (\forall integer i; 0 <= i < n ==> order[i] < n) &&
      (\forall integer i, j; 0 <= i < j < n ==> order[i] != order[j]) &&
      (\forall integer p; 0 <= p < n ==> Has(order, n, p));
*/

#endif
