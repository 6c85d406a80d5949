/* SPDX-License-Identifier: MIT */
/* The score of the extended typical-set quantile: how many records must change before a value is a good
 * answer (docs/theory/floating-bodies.md).
 *
 * Data are n records in 0 .. side-1, and m is the rank of the quantile. Data are typical where the m-th
 * smallest, v, has for k = 1 .. reach at least m + k records in [0, v + k step] and n - m + 1 + k in
 * [v - k step, side - 1]. The fewest records that must change so that the data are typical with this v are
 *
 *     D(v) = max(0, max over 0 <= k <= reach of m + k - #[0, v + k step])
 *          + max(0, max over 0 <= k <= reach of n - m + 1 + k - #[v - k step, side - 1]).
 *
 * The score of t is the least of D(v) + |t - v|/step over all v, and at most `cap`. Without a step it is D(t)
 * itself, at most `cap`. */
#ifndef PBY_MECHANISM_FBQUANTILE_FBQUANTILE_SCORE_H
#define PBY_MECHANISM_FBQUANTILE_FBQUANTILE_SCORE_H

#include <stdint.h>

#include "base/status.h"

typedef struct pby_rank {
    int64_t n, m;   /* 1 <= m <= n */
    uint64_t side;  /* from 1 on */
    uint64_t step;  /* 0: none, and no reach */
    uint64_t reach; /* at most m - 1 and n - m */
    uint64_t cap;   /* from 1 on; cap step fits in 62 bits */
} pby_rank;

/* fall[t] is the score of t times the step, or the score where there is none; count[v] are the records at v.
 */
PBY_CHECKED
pby_status pby_rank_falls(uint64_t *fall, const pby_rank *r, const int64_t *count, pby_error *err);

#endif
