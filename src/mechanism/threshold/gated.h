/* SPDX-License-Identifier: MIT */
/* The pair of a threshold with discrete Gaussian noise: bars of both neighbours that move, and bars that only
 * one of them has.
 *
 * The other side publishes nothing of a bar that only one side has, so that all that counts is the chance of
 * silence about all such bars: s_P for those that only P has, and s_Q for those of Q. With the chance 1 - s_P
 * the first side gives itself away; otherwise the loss is that of the bars that move, raised by
 * log(s_P/s_Q): the potential is 1 - s_P + s_P V(x s_Q/s_P) (docs/theory/gthreshold.md). */
#ifndef PBY_MECHANISM_THRESHOLD_GATED_H
#define PBY_MECHANISM_THRESHOLD_GATED_H

#include "pair/pair.h"

/* Noise of parameter sigma2 on every bar; noisy counts from `threshold` on are published. `moved` bars of
 * both sides move by `each`; `only_p` and `only_q` bars are on one side alone, of `each`. */
typedef struct pby_gated {
    const fmpq *sigma2;
    int64_t threshold, each;
    ulong moved, only_p, only_q;
} pby_gated;

/* The curve of such bars, one of which at least is on one side alone, or moves. */
pby_status pby_gated_curve(pby_curve **out, const pby_gated *gate, pby_error *err);

/* log P(count + Z < T) for a bar of `count` under the threshold T, Z discrete Gaussian: to its full relative
 * precision. `by_terms` adds the weights one by one, a route that needs no formula of Euler and Maclaurin. */
void pby_log_silence(arb_t out, const fmpq_t sigma2, int64_t count, int64_t threshold, bool by_terms,
                     slong prec);

#endif
