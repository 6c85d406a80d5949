/* SPDX-License-Identifier: MIT */
/* Bounds on the loss of ranges where the worst division of the sensitivity is not known.
 *
 * A bar that moves by s is dominated by two things beside each other: geometric noise on a count that moves
 * by s, and a coin that gives the input away with the chance that the bar has of an infinite loss. Over all
 * bars, that is geometric noise on one count that moves by all of it, and a coin of the division whose chance
 * is the greatest (docs/theory/range.md). That division alone loses as much as the coin. */
#ifndef PBY_MECHANISM_RANGE_RANGE_BOUND_H
#define PBY_MECHANISM_RANGE_RANGE_BOUND_H

#include <flint/fmpq.h>
#include <stdint.h>

#include "mechanism/range/division.h"

/* The division of `all` with the greatest chance of an infinite loss, by a hair: none has a chance of a
 * finite loss that is less than (1 - slack) times as large. */
pby_status pby_range_widest(pby_divisions *out, const fmpq_t rate, int64_t reach, int64_t all,
                            pby_error *err);
void pby_range_slack(fmpq_t slack, int64_t all);

#endif
