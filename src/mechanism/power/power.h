/* SPDX-License-Identifier: MIT */
/* The exponential mechanism by powers of a rational base: weights, and so all chances, are rational. */
#ifndef PBY_MECHANISM_POWER_POWER_H
#define PBY_MECHANISM_POWER_POWER_H

#include "mechanism/shared/chooser.h"

/* The logarithm of the base, as a ball. */
void pby_power_log(arb_t out, const pby_mechanism *m, slong prec);

/* The length, in units of log(base), of the interval that all losses lie in: 2 d, or d for monotone
 * scores. */
uint64_t pby_power_units(const pby_mechanism *m);

/* The curve of every pair with losses t and t - length, 0 <= t <= length = units log(base), as that of
 * exponential/curve.h. */
pby_status pby_power_curve(pby_curve **out, const fmpq_t base, uint64_t units, pby_error *err);

/* The greatest gap of scores that counts: a larger one is taken for it. */
uint64_t pby_power_reach(const pby_mechanism *m);

extern const pby_chooser_class pby_power_chooser;

#endif
