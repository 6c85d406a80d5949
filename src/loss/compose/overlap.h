/* SPDX-License-Identifier: MIT */
/* Bounds a composition's delta from below where it is close to 1.
 *
 * 1 - delta(e) is the sum of min(P(o), exp(e) Q(o)), and the lesser of two numbers is at most any weighted
 * geometric mean of them. So it is at most exp(e/4) times the overlap, the sum of P(o)^(3/4) Q(o)^(1/4), and
 * the overlap of independent uses is the product of theirs: a bound without a grid, which is sharp enough
 * where uses are many and epsilon is below three quarters of their mean loss. */
#ifndef PBY_LOSS_COMPOSE_OVERLAP_H
#define PBY_LOSS_COMPOSE_OVERLAP_H

#include "loss/compose/parts.h"

/* A ball around the overlap, in the direction and of the pairs that have the least. */
void pby_parts_overlap(arb_t overlap, const pby_parts *parts, slong prec);

/* lower = 1 - exp(epsilon/4) overlap, if that is above 1 - 2^-bits; otherwise it stays. */
void pby_overlap_raise(arf_t lower, const arb_t overlap, const fmpq_t epsilon, slong bits, slong prec);

#endif
