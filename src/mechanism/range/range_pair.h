/* SPDX-License-Identifier: MIT */
/* The pairs of ranges, as exact atoms: of a division of the sensitivity, and coins that bound it. */
#ifndef PBY_MECHANISM_RANGE_RANGE_PAIR_H
#define PBY_MECHANISM_RANGE_RANGE_PAIR_H

#include "mechanism/range/division.h"
#include "pair/pair.h"

/* Bars that move by the parts of a division, under noise of the law, intervals of `reach`. */
pby_status pby_range_pair(pby_pair *pair, const pby_law *law, int64_t reach, const pby_division *d,
                          pby_error *err);

/* A pair that gives the input away with the chance that some bar of the division has an infinite loss, and
 * otherwise tells nothing. */
pby_status pby_range_coin(pby_pair *pair, const pby_law *law, int64_t reach, const pby_division *d,
                          pby_error *err);

/* A pair that gives the input away with the given chance, and otherwise tells nothing. */
pby_status pby_slack_coin(pby_pair *pair, const fmpq_t chance, pby_error *err);

#endif
