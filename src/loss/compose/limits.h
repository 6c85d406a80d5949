/* SPDX-License-Identifier: MIT */
/* Where the loss of a composition ends: its largest finite value, and the chance that it is infinite.
 *
 * Both are known in closed form, the largest losses adding up and the chances of a finite loss
 * multiplying, so that the grid is spared where delta has reached its limit and where no epsilon has the
 * delta asked for. */
#ifndef PBY_LOSS_COMPOSE_LIMITS_H
#define PBY_LOSS_COMPOSE_LIMITS_H

#include "loss/compose/parts.h"

/* Balls around the largest finite loss and around the chance of an infinite one, in the worse direction. */
void pby_parts_largest(arb_t ball, const pby_parts *parts, slong prec);
void pby_parts_limit(arb_t ball, const pby_parts *parts, slong prec);

/* Every use of a part is (epsilon, delta)-private for these two, the worse of both directions. */
void pby_part_guarantee(arb_t epsilon, arb_t delta, const pby_part *part, slong prec);

/* The chance of an infinite loss as a rational, in a direction, or NULL for the worse of both; false where it
 * is none, or is not known to be one. */
bool pby_part_infinite_rational(fmpq_t worst, const pby_part *part, const pby_direction *direction);

/* True if delta is certainly its limit: epsilon is at or above the largest loss, or each use alone is at its
 * limit at an equal share of epsilon. */
bool pby_parts_beyond(const pby_parts *parts, const fmpq_t epsilon);

/* A ball around an epsilon from which on delta is its limit, the sum of those of the uses; inf where none is
 * known. It may lie below the largest loss where a part has several pairs. */
pby_status pby_parts_settle(arb_t ball, const pby_parts *parts, unsigned digits, pby_error *err);

/* The sign of limit - level. When it is negative, level - limit is above 2^-bits. Fails where balls do
 * not decide and the limit is not a rational. */
pby_status pby_parts_limit_sign(int *sign, slong *bits, const pby_parts *parts, const fmpq_t level,
                                pby_error *err);

#endif
