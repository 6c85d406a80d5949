/* SPDX-License-Identifier: MIT */
/* One of many candidates, candidate i with a chance in proportion to exp(-rate fall[i]), in two passes and
 * without a table: for one draw among so many that a cut table would take longer.
 *
 * A weight is a product of entries of a few tables of exponentials, each rounded down, so that it and the
 * sums of weights are known to lie between integers. The place of a random number of 128 bits among the sums
 * decides, unless it is too close to the end of a candidate's share: then the sums are enclosed by balls and
 * the number gets more bits, until they tell. A number is never drawn anew, so that the chances are exact. */
#ifndef PBY_LAW_PICK_H
#define PBY_LAW_PICK_H

#include <flint/fmpq.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "probity/experimental/entropy.h"

enum { PBY_PICK_MAX = 1 << 24 };

/* 1 <= n <= PBY_PICK_MAX, the rate is above 0 and some fall is 0. */
PBY_CHECKED
pby_status pby_pick(uint64_t *chosen, const uint64_t *fall, size_t n, const fmpq_t rate, pby_entropy *source,
                    pby_error *err);

#endif
