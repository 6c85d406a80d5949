/* SPDX-License-Identifier: MIT */
/* The matrix of a matrix mechanism: lower-triangular, with one number on each diagonal.
 *
 * At step t it adds c_0 of what step t brings, c_1 of what the step before brought, and so on. What a record
 * moves in the steps that it is in adds up as the squares of its columns and their products, so that the
 * worst steps are to be found (docs/theory/matrix.md). */
#ifndef PBY_MECHANISM_MATRIX_BANDS_H
#define PBY_MECHANISM_MATRIX_BANDS_H

#include <flint/fmpz.h>

#include "mechanism/family.h"

enum { PBY_MATRIX_STEPS_MAX = 4096 };

/* c_j = band[j]/unit for j < count, not negative, and 0 behind them; on a grid unit is 1/grid and the bands
 * are in its steps. */
typedef struct pby_bands {
    fmpz *band;
    slong count;
    fmpz_t unit_num, unit_den; /* unit = unit_num/unit_den */
    int64_t steps, participations, separation;
} pby_bands;

/* Refuses bands that the steps do not go with. Of the square root on a grid every number is rounded down to
 * that. To be cleared whether it succeeds or not. */
PBY_CHECKED
pby_status pby_bands_of(pby_bands *out, const pby_mechanism *m, pby_error *err);
void pby_bands_clear(pby_bands *b);

/* The greatest sum of (C^T C)_ij over the steps i and j that a record may be in, in units^-2. Refused where
 * the numbers rise, columns that a record is in overlap, and the steps are more than are gone through. */
PBY_CHECKED
pby_status pby_bands_worst(fmpz_t out, const pby_bands *b, pby_error *err);

/* The square of the column of a step: of a record that is in that step alone, in units^-2. */
void pby_bands_column(fmpz_t out, const pby_bands *b, int64_t step);

/* out = n/unit^2 */
void pby_bands_scale(fmpq_t out, const fmpz_t n, const pby_bands *b);

#endif
