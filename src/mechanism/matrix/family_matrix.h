/* SPDX-License-Identifier: MIT */
/* Matrix mechanisms. */
#ifndef PBY_MECHANISM_MATRIX_FAMILY_MATRIX_H
#define PBY_MECHANISM_MATRIX_FAMILY_MATRIX_H

#include "mechanism/family.h"

/* The parameters, in the order of the family. */
enum {
    PBY_MATRIX_SIGMA2,
    PBY_MATRIX_STEPS,
    PBY_MATRIX_BANDS,
    PBY_MATRIX_WIDTH,
    PBY_MATRIX_PARTICIPATIONS,
    PBY_MATRIX_SEPARATION,
    PBY_MATRIX_SENSITIVITY,
    PBY_MATRIX_GRID,
    PBY_MATRIX_SAMPLE
};

/* Sets out to the square of the distance of two Gaussians that a matrix mechanism without samples is, or is
 * dominated by on a grid: the worst squared length over sigma2. */
void pby_matrix_squared_distance(fmpq_t out, const pby_mechanism *m);

/* The noise of one step, in steps of the grid. */
PBY_CHECKED
pby_status pby_matrix_law(pby_law **out, const pby_mechanism *m, pby_error *err);

#endif
