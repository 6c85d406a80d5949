/* SPDX-License-Identifier: MIT */
/* Where the hockey-stick divergence of a pair crosses a level, guessed.
 *
 * The divergence at e is the supremum of P(S) - exp(e) Q(S) over all sets S of outcomes, and so it falls to
 * the level at the largest log((P(S) - level)/Q(S)), which a set { L > t } attains. Both functions look for
 * that set. They round throughout: what they find is where a certified search begins. It is good to about so
 * many bits, and left as it was where nothing is found. */
#ifndef PBY_LOSS_DIVERGENCE_CROSSING_H
#define PBY_LOSS_DIVERGENCE_CROSSING_H

#include "pair/pair.h"

/* One sum over all atoms, from the greatest loss down. */
void pby_atoms_crossing(fmpq_t epsilon, const pby_pair *pair, const fmpq_t level, slong bits);

/* Newton's method on sqrt(-log delta), nearly linear where delta falls like the tail of a Gaussian, until the
 * sets on its way agree. */
void pby_curve_crossing(fmpq_t epsilon, const pby_curve *curve, const fmpq_t level, slong bits);

#endif
