/* SPDX-License-Identifier: MIT */
#include "loss/compose/grid.h"
#include "number/scoped.h"

void pby_grid_init(pby_grid *grid, slong resolution, const fmpq *width)
{
    grid->resolution = resolution;
    fmpq_init(grid->step);
    fmpq_init(grid->width);
    fmpq_init(grid->ease);
    fmpq_set_si(grid->width, 1, PBY_WIDTH);
    if (width != NULL)
        fmpq_set(grid->width, width);
}

void pby_grid_clear(pby_grid *grid)
{
    fmpq_clear(grid->ease);
    fmpq_clear(grid->width);
    fmpq_clear(grid->step);
}

slong pby_grid_spare(const pby_grid *grid)
{
    enum { SPARE = 3 };
    PBY_FMPZ(times);
    fmpz_cdiv_q(times, fmpq_denref(grid->width), fmpq_numref(grid->width));
    return SPARE + (slong)fmpz_bits(times);
}
