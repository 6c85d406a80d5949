/* SPDX-License-Identifier: MIT */
/* From zCDP to (epsilon, delta) by integrating the tail of the loss (Bun and Steinke): for e >= xi + rho
 *
 *     delta <= sqrt(pi rho) exp(-(e - xi - rho)^2/(4 rho)).
 *
 * docs/theory/conversions.md has the proof. What is enclosed is the value of the formula. */
#ifndef PBY_LOSS_CONVERT_INTEGRATED_H
#define PBY_LOSS_CONVERT_INTEGRATED_H

#include "mechanism/family.h"

/* delta at epsilon, and 1 below xi + rho, where the formula says nothing. */
pby_status pby_integrated_delta(arb_t ball, const pby_promise *line, const fmpq_t epsilon, unsigned digits,
                                pby_error *err);

/* The least epsilon from xi + rho on at which the formula is not above delta; inf at 0 unless rho is 0, and
 * -inf from 1 on. */
pby_status pby_integrated_epsilon(arb_t ball, const pby_promise *line, const fmpq_t delta, unsigned digits,
                                  pby_error *err);

#endif
