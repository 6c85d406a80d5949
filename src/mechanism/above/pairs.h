/* The pairs of above threshold: those that dominate it, and those of some neighbours. */
#ifndef PBY_MECHANISM_ABOVE_PAIRS_H
#define PBY_MECHANISM_ABOVE_PAIRS_H

#include "pair/pair.h"

/* Out of the threshold's noise and that noise shifted by the sensitivity, of falling losses, where the answer
 * that reaches the threshold costs `half` more. Monotone queries have a pair for either direction. */
PBY_CHECKED
pby_status pby_above_pairs_general(pby_pairs *out, const pby_pair *shifted, const fmpq_t half,
                                   pby_error *err);
PBY_CHECKED
pby_status pby_above_pairs_monotone(pby_pairs *out, const pby_pair *shifted, const fmpq_t half,
                                    pby_error *err);

/* Of one answer, whose noise has that rate, next to the threshold and farther away. */
PBY_CHECKED
pby_status pby_above_pairs_attained(pby_pairs *out, const fmpq_t rate, int64_t d, bool monotone,
                                    pby_error *err);

#endif
