/* SPDX-License-Identifier: MIT */
/* Report noisy max over an array of structs: which candidate has the best score, by noisy scores. */
#ifndef BEST_H
#define BEST_H

#include <stddef.h>
#include <stdint.h>

#define SCORE_MAX 1000000000

struct candidate {
    uint32_t id;
    int64_t score;
};

/*@ predicate Best(struct candidate *x, int64_t *z, integer n, integer k) =
      0 <= k < n && (\forall integer i; 0 <= i < k ==> x[i].score + z[i] < x[k].score + z[k]) &&
      (\forall integer i; k <= i < n ==> x[i].score + z[i] <= x[k].score + z[k]);

    // One person changes each score by at most one.
    predicate Voter(struct candidate *x, struct candidate *y, integer n) =
      \forall integer i; 0 <= i < n ==> x[i].score - 1 <= y[i].score <= x[i].score + 1;

    predicate Scored(struct candidate *x, integer n) =
      \forall integer i; 0 <= i < n ==> -SCORE_MAX <= x[i].score <= SCORE_MAX;
*/

/* The first of the candidates whose score and noise are the most. */
/*@ requires valid:  \valid_read(x + (0 .. n - 1)) && \valid_read(z + (0 .. n - 1));
    requires some:   0 < n;
    requires scores: Scored(x, n);
    requires fits:   \forall integer i; 0 <= i < n ==> -0x4000000000000000 <= z[i] <= 0x4000000000000000;
    terminates \true;
    assigns \nothing;
    ensures answer: Best(x, z, n, \result);
*/
size_t noisy_best(const struct candidate *x, size_t n, const int64_t *z);

#endif
