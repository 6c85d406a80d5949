/* SPDX-License-Identifier: MIT */
/* A pair that discrete Gaussian noise on many coordinates loses at least. */
#ifndef PBY_MECHANISM_MATRIX_MATRIX_BELOW_H
#define PBY_MECHANISM_MATRIX_MATRIX_BELOW_H

#include <arb.h>
#include <flint/fmpq.h>
#include <stdint.h>

#include "pair/pair.h"

/* Continuous noise of variance `added` on every coordinate makes discrete noise of parameter sigma2 >= 1 on
 * so many integers Gaussian: its density, in which a shift keeps its length, is that of N(0, sigma2 +
 * added) up to a factor between `factor` and its inverse. */
void pby_matrix_smoothing(fmpq_t added, arb_t factor, const fmpq_t sigma2, int64_t coordinates);

/* Gives an empty pair one that noise of parameter sigma2 >= 1 on `coordinates` integers that move by a vector
 * of the squared length norm2 > 0 dominates. */
PBY_CHECKED
pby_status pby_matrix_below(pby_pair *pair, const fmpq_t sigma2, const fmpz_t norm2, int64_t coordinates,
                            pby_error *err);

#endif
