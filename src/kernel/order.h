/* SPDX-License-Identifier: MIT */
/* Checks that rows are in order, for the code that sorts them.
 *
 * The bars that pass a threshold are published in the order of their names, so that no order of the input
 * shows. However they were sorted, these functions see that each row comes once and that the names rise. */
#ifndef PBY_KERNEL_ORDER_H
#define PBY_KERNEL_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/order.h"

typedef struct pby_bin_row {
    const uint8_t *name; /* in the bin */
    size_t size;
    int64_t count;
} pby_bin_row;

/* 1 when the bytes of a stand before those of b: a shorter name before those that it begins. */
/*@ requires valid: \valid_read(a + (0 .. n - 1)) && \valid_read(b + (0 .. m - 1));
    terminates \true;
    assigns \nothing;
    behavior before:
      assumes before: Precedes(a, n, b, m);
      ensures yes: \result == 1;
    behavior other:
      assumes other: !Precedes(a, n, b, m);
      ensures no: \result == 0;
    complete behaviors;
    disjoint behaviors;
*/
int pby_precedes(const uint8_t *a, size_t n, const uint8_t *b, size_t m);

/* 1 when order[0 .. n-1] has every number below n once. seen is room for the answer. */
/*@ requires size:  n < UINT32_MAX;
    requires valid: \valid_read(order + (0 .. n - 1));
    requires place: \valid(seen + (0 .. n - 1));
    requires apart: \separated(seen + (0 .. n - 1), order + (0 .. n - 1));
    terminates \true;
    assigns seen[0 .. n - 1];
    behavior permutation:
      assumes permutation: Permutation(order, n);
      ensures yes: \result == 1;
    behavior other:
      assumes other: !Permutation(order, n);
      ensures no: \result == 0;
    complete behaviors;
    disjoint behaviors;
*/
int pby_is_permutation(const uint64_t *order, uint32_t *seen, size_t n);

/* 1 when the names of rows[order[0]], rows[order[1]], ... rise. */
/*@ requires valid: \valid_read(order + (0 .. n - 1)) && \valid_read(rows + (0 .. n - 1));
    requires below: \forall integer i; 0 <= i < n ==> order[i] < n;
    requires names: \forall integer p; 0 <= p < n ==> \valid_read(rows[p].name + (0 .. rows[p].size - 1));
    terminates \true;
    assigns \nothing;
    behavior rise:
      assumes rise: \forall integer i; 0 < i < n ==>
                      Precedes(rows[order[i - 1]].name, rows[order[i - 1]].size, rows[order[i]].name,
                               rows[order[i]].size);
      ensures yes: \result == 1;
    behavior other:
      assumes other: \exists integer i; 0 < i < n &&
                       !Precedes(rows[order[i - 1]].name, rows[order[i - 1]].size, rows[order[i]].name,
                                 rows[order[i]].size);
      ensures no: \result == 0;
    complete behaviors;
    disjoint behaviors;
*/
int pby_names_rise(const pby_bin_row *rows, const uint64_t *order, size_t n);

#endif
