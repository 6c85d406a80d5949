/* SPDX-License-Identifier: MIT */
/* The scale of noise that makes outputs within k steps of each other hard to tell apart. */
#ifndef PBY_MECHANISM_ROBUST_SCALE_H
#define PBY_MECHANISM_ROBUST_SCALE_H

#include <arb.h>
#include <flint/fmpq.h>
#include <stdint.h>

#include "base/status.h"

enum { PBY_ROBUST_STEPS_MAX = 1 << 20 };

/* k = floor(rho/grid); refused beyond PBY_ROBUST_STEPS_MAX. */
pby_status pby_robust_steps(int64_t *k, const fmpq_t rho, const fmpq_t grid, pby_error *err);

/* The greatest rate of geometric noise, to one part in 2^15, that is robust for k >= 1 steps at epsilon > 0.
 */
pby_status pby_robust_rate(fmpq_t rate, int64_t k, const fmpq_t epsilon, pby_error *err);

/* The h with the least ratio for k >= 1 steps at that rate, and that ratio. */
pby_status pby_robust_least(fmpz_t h, arb_t ratio, int64_t k, const fmpq_t rate, slong prec, pby_error *err);

/* delta/theta at h: (2h+1) over the sum of a^|s| for s from -h to h. */
void pby_robust_share(arb_t share, const fmpz_t h, const fmpq_t rate, slong prec);

#endif
