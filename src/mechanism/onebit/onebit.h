/* SPDX-License-Identifier: MIT */
/* Two families estimate a mean from bits, and have this in common: their first parameters are eps, odds, hi,
 * lo and grid. */
#ifndef PBY_MECHANISM_ONEBIT_H
#define PBY_MECHANISM_ONEBIT_H

#include "mechanism/shared/estimator.h"

/* Each is named after the member of pby_family that it is. */
PBY_CHECKED
pby_status pby_onebit_check(const pby_mechanism *m, pby_error *err);
int64_t pby_onebit_most(const pby_mechanism *m);
extern const pby_estimator pby_onebit_estimator;

/* Sets steps to length/grid. */
void pby_onebit_steps(fmpq_t steps, const pby_mechanism *m, const fmpq_t length);

/* n offsets below the number of steps, each equally likely; n is at most PBY_ONEBIT_BLOCK. */
enum { PBY_ONEBIT_BLOCK = 1024 };
PBY_CHECKED
pby_status pby_onebit_offsets(int64_t *offset, size_t n, const pby_mechanism *m, pby_entropy *source,
                              pby_error *err);

#endif
