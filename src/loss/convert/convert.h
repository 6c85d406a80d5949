/* SPDX-License-Identifier: MIT */
/* Conversions from a Renyi spectrum to (epsilon, delta), and from pure privacy to a spectrum.
 *
 * A conversion's answer is an upper bound on what the mechanism loses. What is enclosed is the value of
 * the conversion's formula: the enclosure's upper end is safe to use, and its lower end says nothing
 * about the mechanism. For every order a > 1 and every real epsilon,
 *
 *     delta <= exp((a-1)(D_a - epsilon) + h(a)),   h(a) = (a-1) log(a-1) - a log a
 *
 * sharpened, or with h left out, as the papers have it. Both are taken at the best order, the infimum of
 * a convex function: for a promise of one order that is this order wherever the formula says
 * anything, and for zCDP without h the classical rho + 2 sqrt(rho log(1/delta)). Derivations:
 * docs/theory/conversions.md.
 */
#ifndef PBY_LOSS_CONVERT_CONVERT_H
#define PBY_LOSS_CONVERT_CONVERT_H

#include "loss/divergence/spectrum.h"
#include "loss/profile/profile.h"
#include "probity/loss.h"

typedef enum pby_sharpness { PBY_SHARP, PBY_CLASSICAL } pby_sharpness;

/* delta at epsilon by the best order; 0 exactly from epsilon = D_inf on. The spectrum must be finite. */
pby_status pby_convert_delta(arb_t ball, const pby_spectrum *s, pby_sharpness sharpness, const fmpq_t epsilon,
                             unsigned digits, pby_error *err);

/* The least epsilon whose delta by the best order is not above the one given; -inf from 1 on, D_inf at 0. */
pby_status pby_convert_epsilon(arb_t ball, const pby_spectrum *s, pby_sharpness sharpness, const fmpq_t delta,
                               unsigned digits, pby_error *err);

/* The profile that the sharpened conversion gives. Takes the spectrum's contents, also on failure; one
 * that is not finite is refused. */
pby_status pby_profile_of_spectrum(pby_profile **out, pby_spectrum *s, pby_error *err);

/* The greatest divergence of order a >= 1 (inf where order is NULL) and the greatest rho of an
 * epsilon-private mechanism: log(cosh((a - 1/2) e) / cosh(e/2)) / (a-1) and e tanh(e/2); classical, a e^2/2
 * and e^2/2. */
void pby_convert_pure_renyi(arb_t ball, const arb_t epsilon, const fmpq *order, pby_sharpness sharpness,
                            slong prec);
void pby_convert_pure_rho(arb_t ball, const arb_t epsilon, pby_sharpness sharpness, slong prec);

#endif
