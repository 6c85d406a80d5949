/* SPDX-License-Identifier: MIT */
/* Bounds the chance of data that are not typical, where records are drawn from a law with enough of them
 * around its quantile (docs/theory/floating-bodies.md). */
#ifndef PBY_MECHANISM_FBQUANTILE_TYPICAL_H
#define PBY_MECHANISM_FBQUANTILE_TYPICAL_H

#include <arb.h>
#include <flint/fmpq.h>

#include "mechanism/fbquantile/fbquantile_score.h"

/* The density of the law is at least `density` wherever it is within `within` of its q-quantile. Both are
 * above 0, and q + density within is from 0 to 1 with either sign. */
PBY_CHECKED
pby_status pby_rank_untypical(arb_t chance, const pby_rank *r, const fmpq_t q, const fmpq_t density,
                              const fmpq_t within, slong prec, pby_error *err);

#endif
