/* One round of a composition on a grid: a step and a precision in, bounds from both sides out. */
#ifndef PBY_LOSS_GRID_H
#define PBY_LOSS_GRID_H

#include "loss/compose.h"

/* What is asked of the composition: delta at an epsilon, or epsilon at a delta. */
typedef struct pby_asked {
    bool delta;
    const fmpq *at;
} pby_asked;

/* The losses are multiples of step; errors other than the grid's stay below 2^-resolution in delta. */
typedef struct pby_grid {
    fmpq_t step;
    slong resolution;
} pby_grid;

/* A first step for an answer of the usual width at a delta of about 2^-resolution: a guess, that costs
 * time where it is bad. Where the losses of atoms are multiples of one rational, so is the step. */
pby_status pby_grid_guess(pby_grid *grid, const pby_parts *parts, const pby_asked *asked, pby_error *err);

/* lower <= the answer <= upper. */
pby_status pby_grid_round(arf_t lower, arf_t upper, const pby_parts *parts, const pby_asked *asked,
                          const pby_grid *grid, pby_error *err);

#endif
