/* SPDX-License-Identifier: MIT */
/* Noisy answers: a true answer and its noise are compared as integers, so that no sum overflows. */
#ifndef PBY_ACSL_NOISY_H
#define PBY_ACSL_NOISY_H

#include <stddef.h>
#include <stdint.h>

/*@ predicate Under(int64_t *x, int64_t *z, integer from, integer to, integer t) =
      \forall integer i; from <= i < to ==> x[i] + z[i] < t;

    // Where the search for the j-th positive answer begins.
    logic integer From(size_t *at, integer j) = j <= 0 ? 0 : at[j - 1] + 1;

    // k is the first of the largest noisy answers.
    predicate Largest(int64_t *x, int64_t *z, integer n, integer k) =
      0 <= k < n && (\forall integer i; 0 <= i < k ==> x[i] + z[i] < x[k] + z[k]) &&
      (\forall integer i; k <= i < n ==> x[i] + z[i] <= x[k] + z[k]);
*/

#endif
