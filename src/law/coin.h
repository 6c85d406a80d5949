/* SPDX-License-Identifier: MIT */
/* Coins that show heads with the chance exp(-x), x a rational from 0 on, exactly. */
#ifndef PBY_LAW_COIN_H
#define PBY_LAW_COIN_H

#include <flint/fmpq.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "probity/entropy.h"

/* *cut = floor(2^64 exp(-x)), for x above 0, where exp(-x) is irrational: some precision decides it. */
PBY_CHECKED
pby_status pby_coin_cut(uint64_t *cut, const fmpq_t x, pby_error *err);

/* Flips a coin of chance exp(-x), x > 0, by a word, which is compared with the coin's cut. A word that equals
 * the cut is decided by further words from the source, which happens with a chance of 2^-64. */
PBY_CHECKED
pby_status pby_coin_flip(bool *heads, uint64_t word, uint64_t cut, const fmpq_t x, pby_entropy *source,
                         pby_error *err);

#endif
