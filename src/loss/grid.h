/* A composition on a grid: a step and a precision in, bounds from both sides out, refined until they are as
 * close as they were asked to be. */
#ifndef PBY_LOSS_GRID_H
#define PBY_LOSS_GRID_H

#include "loss/bounds.h"
#include "loss/compose.h"

/* What is asked of the composition: delta at each of some epsilons, or epsilon at each of some deltas. All are
 * read off one grid. */
typedef struct pby_asked {
    bool delta;
    const fmpq *at; /* count of them */
    size_t count;
} pby_asked;

/* The losses are multiples of step; errors other than the grid's stay below 2^-resolution in delta. Bounds
 * within width of each other are wanted. */
typedef struct pby_grid {
    fmpq_t step, width;
    slong resolution;
} pby_grid;

/* Without a step yet; width NULL is 1/PBY_WIDTH. */
void pby_grid_init(pby_grid *grid, slong resolution, const fmpq *width);
void pby_grid_clear(pby_grid *grid);

/* The bits below a number's own that an error may not reach, for the width wanted. */
slong pby_grid_spare(const pby_grid *grid);

/* A first step for an answer of the width at a delta of about 2^-resolution: a guess, that costs time where
 * it is bad. Where the losses of atoms are multiples of one rational, so is the step. */
pby_status pby_grid_guess(pby_grid *grid, const pby_parts *parts, const pby_asked *asked, pby_error *err);

/* One round: bounds on every answer. Refused where a grid or a product would need more than
 * PBY_MEMORY_MAX_MIB. */
pby_status pby_grid_round(pby_bounds *bounds, const pby_parts *parts, const pby_asked *asked,
                          const pby_grid *grid, pby_error *err);

/* Rounds, each on a finer grid, until every answer is as narrow as the grid's width; *met is false when finer
 * grids no longer brought the bounds closer. The grid has its resolution to start with. Refused as a
 * round is. */
pby_status pby_grid_search(pby_bounds *bounds, bool *met, const pby_parts *parts, const pby_asked *asked,
                           pby_grid *grid, pby_error *err);

#endif
