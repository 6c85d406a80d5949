/* SPDX-License-Identifier: MIT */
/* A grid of losses, and what is asked of a composition on it. */
#ifndef PBY_LOSS_COMPOSE_GRID_H
#define PBY_LOSS_COMPOSE_GRID_H

#include <flint/fmpq.h>
#include <stdbool.h>
#include <stddef.h>

/* The question about the composition: delta at each of some epsilons, or epsilon at each of some deltas. All
 * are read off one grid. */
typedef struct pby_asked {
    bool delta;
    const fmpq *at; /* count of them */
    size_t count;
} pby_asked;

/* The relative width of an answer when none is asked for, as the reciprocal of a whole number. */
enum { PBY_WIDTH = 100 };

/* The losses are multiples of step; errors other than the grid's stay below 2^-resolution in delta. Bounds
 * within width of each other are wanted. Powers may go over to coarser grids by ease (pld.h). */
typedef struct pby_grid {
    fmpq_t step, width, ease;
    slong resolution;
} pby_grid;

/* Without a step yet; width NULL is 1/PBY_WIDTH. */
void pby_grid_init(pby_grid *grid, slong resolution, const fmpq *width);
void pby_grid_clear(pby_grid *grid);

/* The bits below a number's own that an error may not reach, for the width wanted. */
slong pby_grid_spare(const pby_grid *grid);

#endif
