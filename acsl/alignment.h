/* SPDX-License-Identifier: MIT */
/* Alignment: how far two inputs, or two noises, are apart, and what a noise is carried to. */
#ifndef PBY_ACSL_ALIGNMENT_H
#define PBY_ACSL_ALIGNMENT_H

#include "acsl/histogram.h"

/*@ logic integer Apart(integer a, integer b) = a < b ? b - a : a - b;

    // The distance of a and b in all: the cost of a shift, in units of the noise's rate.
    logic integer Distance(int64_t *a, int64_t *b, integer n) =
      n <= 0 ? 0 : Distance(a, b, n - 1) + Apart(a[n - 1], b[n - 1]);

    // Every entry moves by as much as the input of its place, the other way.
    predicate Shifted(int64_t *z, int64_t *w, int64_t *x, int64_t *y, integer n) =
      \forall integer i; 0 <= i < n ==> w[i] == z[i] + x[i] - y[i];

    // No query differs by more than d.
    predicate Near(int64_t *x, int64_t *y, integer n, integer d) =
      \forall integer i; 0 <= i < n ==> x[i] - d <= y[i] <= x[i] + d;

    // All queries rise by at most d, or all fall: the answers of monotone queries.
    predicate Together(int64_t *x, int64_t *y, integer n, integer d) =
      (\forall integer i; 0 <= i < n ==> x[i] <= y[i] <= x[i] + d) ||
      (\forall integer i; 0 <= i < n ==> x[i] - d <= y[i] <= x[i]);

    // No query falls by more than `down` or rises by more than `up`.
    predicate Moved(int64_t *x, int64_t *y, integer n, integer down, integer up) =
      \forall integer i; 0 <= i < n ==> x[i] - down <= y[i] <= x[i] + up;

    // The noise of the occupied bars, packed as the kernel reads it.
    predicate Packed(int64_t *noise, int64_t *z, int64_t *x, integer n) =
      \forall integer i; 0 <= i < n ==> x[i] != 0 ==> noise[Support(x, i)] == z[i];
*/

/*@ ghost
  // A shift that nowhere exceeds the difference of the inputs costs no more than they are apart.
  /@ requires valid: \valid_read(z + (0 .. n - 1)) && \valid_read(w + (0 .. n - 1)) &&
                     \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1));
     requires each:  \forall integer i; 0 <= i < n ==> Apart(z[i], w[i]) <= Apart(x[i], y[i]);
     terminates \true;
     assigns \nothing;
     ensures cost: Distance(z, w, n) <= Distance(x, y, n);
  @/
  void lemma_cost(const int64_t *z, const int64_t *w, const int64_t *x, const int64_t *y, size_t n);
*/

#endif
