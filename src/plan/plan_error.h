/* SPDX-License-Identifier: MIT */
/* Errors of noisy quantities, by the exact law of the noise. */
#ifndef PBY_PLAN_PLAN_ERROR_H
#define PBY_PLAN_PLAN_ERROR_H

#include "plan/plan_quantity.h"

/* The least error, in steps of the quantity, that no cell of so many exceeds but for a chance of
 * 1/under. Of a choice it is how far its score is below the best: ranks of a quantile, rows of a group. */
PBY_CHECKED
pby_status pby_plan_error(mpq_t error, const pby_plan_quantity *q, size_t cells, unsigned long under,
                          pby_error *err);

/* An error of a statistic, in its unit, that all groups keep to at once in 95 of 100 releases. Of a mean
 * or a variance it holds where a group has as many rows as expected. */
typedef struct pby_plan_promise {
    bool known; /* false where the expected rows are too few to divide by */
    mpq_t error;
    mpq_t rounding; /* on top of it: half a step of a mean, half a squared step of a variance, else 0 */
    mpq_t cell;     /* the first quantity's error in one cell alone */
} pby_plan_promise;

void pby_plan_promise_init(pby_plan_promise *p);
void pby_plan_promise_clear(pby_plan_promise *p);

PBY_CHECKED
pby_status pby_plan_promise_of(pby_plan_promise *out, const pby_release_plan *plan,
                               const pby_plan_quantities *q, size_t statistic, pby_error *err);

#endif
