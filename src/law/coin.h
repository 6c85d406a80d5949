/* SPDX-License-Identifier: MIT */
/* Coins that show heads with the chance exp(-x), x a rational from 0 on, exactly. */
#ifndef PBY_LAW_COIN_H
#define PBY_LAW_COIN_H

#include <flint/fmpq.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "probity/experimental/entropy.h"

/* Sets the cut to the first 64 binary digits of exp(-x): floor(2^64 exp(-x)) for x above 0, where exp(-x) is
 * irrational, so that some precision decides it; all ones for x = 0. */
PBY_CHECKED
pby_status pby_coin_cut(uint64_t *cut, const fmpq_t x, pby_error *err);

/* Flips a coin of chance exp(-x) by a word, which is compared with its cut. A word that equals the cut is
 * decided by further words from the source, which happens with a chance of 2^-64; for x = 0 it is heads. */
PBY_CHECKED
pby_status pby_coin_flip(bool *heads, uint64_t word, uint64_t cut, const fmpq_t x, pby_entropy *source,
                         pby_error *err);

#endif
