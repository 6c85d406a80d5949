/* SPDX-License-Identifier: MIT */
/* The pair of new bars under a threshold: one side has them and the other has not.
 *
 * The side without them publishes nothing of them, so that all that counts is the chance q of silence on the
 * other: with probability 1 - q it gives itself away, and otherwise the loss is log q. For s in all the least
 * q is that of one new bar of s or of s new bars of 1 (docs/theory/threshold.md). Written out, the power of
 * the second has some s^2/2 exponentials; as a curve it costs the same for every s. */
#ifndef PBY_MECHANISM_THRESHOLD_NEW_H
#define PBY_MECHANISM_THRESHOLD_NEW_H

#include "pair/pair.h"

/* P is without the bars if `without`, else Q is. The curve answers all that is asked of a pair for a single
 * use (family.h, alone), and nothing else. */
pby_status pby_pair_new_bars(pby_pair *pair, const fmpq_t rate, int64_t threshold, int64_t s, bool without,
                             pby_error *err);

#endif
