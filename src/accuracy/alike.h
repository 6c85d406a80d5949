/* SPDX-License-Identifier: MIT */
/* The error of the estimated mean of n users whose values lie on a grid and who report a bit each. */
#ifndef PBY_ACCURACY_ALIKE_H
#define PBY_ACCURACY_ALIKE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "number/expsum.h"

/* A user whose value is j of `steps` reports 1 with the chance q + (p - q) j/steps, all over the norm; the
 * estimate is too far off where the reports J of 1 are farther than `off` n (p - q) from their mean. */
typedef struct pby_alike {
    const pby_expsum_struct *p, *q, *norm;
    const fmpq *off;
    uint64_t n, steps;
} pby_alike;

/* True if users and steps are few enough to be summed over. */
bool pby_alike_few(const pby_alike *a);

/* The greatest chance that the estimate is too far off: of users whose values are as equal as their sum
 * allows, which some have; and a bound for all users. */
PBY_CHECKED
pby_status pby_alike_least(arb_t ball, const void *alike, slong prec, pby_error *err);
PBY_CHECKED
pby_status pby_alike_most(arb_t ball, const void *alike, slong prec, pby_error *err);

#endif
