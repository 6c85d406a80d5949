/* SPDX-License-Identifier: MIT */
/* The pair of a bar that is drawn by a clock and then counted.
 *
 * A bar rings after an exponential time of rate exp(eps x), x its count, and is counted with two-sided
 * geometric noise of rate `counts`. One record more makes that c = exp(eps) times as fast and moves the count
 * by one. With time and count known, and the rate without the record as the unit, the loss of the input that
 * lacks the record against the one that has it is
 *
 *     (c - 1) time - eps + counts, or - counts,
 *
 * where under the first the time is exponential of rate 1 and the sign is + with 1/(1 + exp(-counts)); under
 * the second the rate is c, and the sign is - with that chance. The reverse has the losses of other sign. */
#ifndef PBY_MECHANISM_CHOOSING_CHOOSING_CURVE_H
#define PBY_MECHANISM_CHOOSING_CHOOSING_CURVE_H

#include <stdbool.h>

#include "pair/pair.h"

/* P lacks the record, or, reversed, has it; eps and counts above 0. */
pby_status pby_clock_curve(pby_curve **out, const fmpq_t eps, const fmpq_t counts, bool reversed,
                           pby_error *err);

#endif
