/* SPDX-License-Identifier: MIT */
/* The mean error of a mechanism, but for a mass gamma of the farthest (docs/theory/average.md): one function
 * for each way in which mechanisms draw. */
#ifndef PBY_ACCURACY_AVERAGE_H
#define PBY_ACCURACY_AVERAGE_H

#include <arb.h>

#include "mechanism/family.h"

typedef struct pby_mean {
    const pby_spec *spec;
    const pby_mechanism *mechanism; /* the first of the spec */
    uint64_t n, support;            /* users; bars, candidates or questions */
    fmpq_t gamma;                   /* from 0 to 1 */
    unsigned digits;
} pby_mean;

/* beta is 0 on entry. Where the mean is only known to lie between two numbers, beta is a ball around both. */
pby_status pby_mean_of_noise(arb_t beta, const pby_mean *of, pby_error *err);
pby_status pby_mean_of_gate(arb_t beta, const pby_mean *of, pby_error *err);
pby_status pby_mean_of_choice(arb_t beta, const pby_mean *of, pby_error *err);
pby_status pby_mean_of_point(arb_t beta, const pby_mean *of, pby_error *err);
pby_status pby_mean_of_share(arb_t beta, const pby_mean *of, pby_error *err);
pby_status pby_mean_of_session(arb_t beta, const pby_mean *of, pby_error *err);

/* The most that the terms of a log-concave sequence come to from `last` on, which comes behind `before`. */
void pby_mean_rest(arb_t out, const arb_t last, const arb_t before, slong prec);

/* Weights exp(-rate fall) of so many outcomes, one of which falls by 0 and the others by 1 to `most`: the
 * greatest mean fall, which all others at one fall have. */
pby_status pby_mean_fall(arb_t beta, const fmpq_t rate, uint64_t outcomes, uint64_t most, const fmpq_t gamma,
                         unsigned digits, pby_error *err);

#endif
