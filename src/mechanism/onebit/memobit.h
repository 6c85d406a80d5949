/* SPDX-License-Identifier: MIT */
/* The memoised one-bit mean: what a user draws once, and the reports on a course of values. */
#ifndef PBY_MECHANISM_MEMOBIT_H
#define PBY_MECHANISM_MEMOBIT_H

#include "mechanism/family.h"

/* Refuses a spec that is not one use of it. */
PBY_CHECKED
pby_status pby_spec_memobit(const pby_mechanism **out, const pby_spec *spec, pby_error *err);

/* Sets *step to the place of the value on the grid; the refusal does not show it. */
PBY_CHECKED
pby_status pby_memobit_step(int64_t *step, const pby_mechanism *m, const char *value, pby_error *err);

/* Refuses steps that are farther apart than the drift, which the user is told and nobody else. */
PBY_CHECKED
pby_status pby_memobit_check(const pby_mechanism *m, const int64_t *step, size_t rounds, pby_error *err);

/* A report of 0 or 1 for each round of one user, in the place of the steps, which pby_memobit_check has
 * taken. */
PBY_CHECKED
pby_status pby_memobit_report(int64_t *step, size_t rounds, const pby_mechanism *m, pby_sampler *sampler,
                              pby_entropy *source, pby_error *err);

#endif
