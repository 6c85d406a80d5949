/* SPDX-License-Identifier: MIT */
/* The table search: which cell of a cut table holds a word.
 *
 * A table of n cells is its left ends t[0 .. n-1], in order, t[0] == 0; cell n-1 runs to 2^64. For a
 * law on k = 0, 1, ... that is t[i] = floor(cdf(i - 1) * 2^64) for i >= 1. Equal ends are allowed:
 * the cell between them is empty. */
#ifndef PBY_KERNEL_CELL_H
#define PBY_KERNEL_CELL_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/cells.h"

/* 1 when t is a table of n cells, else 0. A table is checked once; the other functions rely on it. */
/*@ requires valid: \valid_read(t + (0 .. n - 1));
    terminates \true;
    assigns \nothing;
    behavior table:
      assumes table: Table(t, n);
      ensures yes: \result == 1;
    behavior other:
      assumes other: !Table(t, n);
      ensures no: \result == 0;
    complete behaviors;
    disjoint behaviors;
*/
int pby_is_table(const uint64_t *t, size_t n);

/* The depth of a search among n cells: the least d with n <= 2^d. */
/*@ requires some: 0 < n;
    terminates \true;
    assigns \nothing;
    ensures enough: n <= Pow2(\result);
    ensures least:  0 < \result ==> Pow2(\result - 1) < n;
    ensures range:  \result <= 64;
*/
unsigned pby_depth(size_t n);

/* One step of a search: of the cells lo .. lo + len - 1, keeps those from lo + half on when u is there,
 * else the others. Written so that the compiler moves and does not branch: u is random, and no
 * predictor would learn it. */
/*@ requires valid: \valid_read(t + (0 .. n - 1));
    requires table: Table(t, n);
    requires half:  half == len / 2;
    requires known: Narrowed(t, n, lo, len, u);
    terminates \true;
    assigns \nothing;
    ensures narrowed: Narrowed(t, n, \result, len - half, u);
*/
static inline size_t pby_narrow(const uint64_t *t, size_t lo, size_t half, uint64_t u)
/*@ ghost (size_t n, size_t len) */
{
    const size_t mid = lo + half;
    return t[mid] <= u ? mid : lo;
}

/* The cell of the table that holds u: the last whose left end is not above u. As many of the 2^64
 * words lead to a cell as its ends are apart. Takes the same steps for every u. */
/*@ requires size:  n <= Pow2(depth);
    requires valid: \valid_read(t + (0 .. n - 1));
    requires table: Table(t, n);
    terminates \true;
    assigns \nothing;
    ensures range: \result < n;
    ensures cell:  t[\result] <= u < Hi(t, n, \result);
    ensures draw:  \result == Draw(t, n, u);
    ensures exact: \forall integer i; 0 <= i < n ==> Hits(t, n, i, Words) == Hi(t, n, i) - t[i];
*/
size_t pby_cell(const uint64_t *t, size_t n, unsigned depth, uint64_t u);

#endif
