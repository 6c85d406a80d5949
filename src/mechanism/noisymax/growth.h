/* SPDX-License-Identifier: MIT */
/* An upper end of what two-sided noisy max loses (docs/theory/noisymax.md). */
#ifndef PBY_MECHANISM_NOISYMAX_GROWTH_H
#define PBY_MECHANISM_NOISYMAX_GROWTH_H

#include <flint/fmpq.h>
#include <stdbool.h>

enum { PBY_GROWTH_NODES = 17 };

/* Sets loss from 0 to last, and delta[i] to no less than what any neighbours lose at loss[i], 0 at the last.
 * The winner's noise pays for eps at most, and nobody loses more than last. Says whether that could be done.
 */
bool pby_growth_delta(fmpq *loss, fmpq *delta, const fmpq_t eps, const fmpq_t last);

#endif
