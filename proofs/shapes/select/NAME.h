/* Report noisy max: which of n candidates has the largest score and noise. */
#ifndef NAME_H
#define NAME_H

#include <stddef.h>
#include <stdint.h>

#define SCORE_MAX 1000000000000

/*@ predicate Winner(int64_t *x, int64_t *z, integer n, integer k) =
      0 <= k < n && (\forall integer i; 0 <= i < k ==> x[i] + z[i] < x[k] + z[k]) &&
      (\forall integer i; k <= i < n ==> x[i] + z[i] <= x[k] + z[k]);

    predicate Scored(int64_t *x, integer n) =
      \forall integer i; 0 <= i < n ==> -SCORE_MAX <= x[i] <= SCORE_MAX;
*/

/* The first of the candidates whose score and noise are the most. */
/*@ requires valid:  \valid_read(x + (0 .. n - 1)) && \valid_read(z + (0 .. n - 1));
    requires some:   0 < n;
    requires scores: Scored(x, n);
    requires fits:   \forall integer i; 0 <= i < n ==> -0x4000000000000000 <= z[i] <= 0x4000000000000000;
    terminates \true;
    assigns \nothing;
    ensures answer: Winner(x, z, n, \result);
*/
size_t NAME(const int64_t *x, size_t n, const int64_t *z);

#endif
