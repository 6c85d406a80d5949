/* SPDX-License-Identifier: MIT */
/* Answers on a circle. */
#ifndef PBY_ACSL_RESPONSE_H
#define PBY_ACSL_RESPONSE_H

#include "acsl/histogram.h"

/*@ // The answer that lies s behind x, both from 0 to k - 1.
    logic integer Turned(integer x, integer s, integer k) = x + s < k ? x + s : x + s - k;

    // The answer that v is on the circle, v from -k to 2 k - 1.
    logic integer Wrapped(integer v, integer k) = v < 0 ? v + k : (v < k ? v : v - k);

    // In how many places a and b are not the same: the cost of another move, in units of the log of the odds.
    logic integer Unlike(int64_t *a, int64_t *b, integer n) =
      n <= 0 ? 0 : Unlike(a, b, n - 1) + (a[n - 1] != b[n - 1] ? 1 : 0);
*/

/*@ ghost
  // Moves that differ only where the answers do cost no more than there are such answers.
  /@ requires valid: \valid_read(z + (0 .. n - 1)) && \valid_read(w + (0 .. n - 1)) &&
                     \valid_read(x + (0 .. n - 1)) && \valid_read(y + (0 .. n - 1));
     requires each:  \forall integer i; 0 <= i < n ==> x[i] == y[i] ==> z[i] == w[i];
     terminates \true;
     assigns \nothing;
     ensures cost: Unlike(z, w, n) <= Unlike(x, y, n);
  @/
  void lemma_unlike(const int64_t *z, const int64_t *w, const int64_t *x, const int64_t *y, size_t n);
*/

#endif
