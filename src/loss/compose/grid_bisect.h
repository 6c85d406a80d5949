/* SPDX-License-Identifier: MIT */
/* Finer and finer grids, until the bounds are as close as was asked for. */
#ifndef PBY_LOSS_COMPOSE_GRID_BISECT_H
#define PBY_LOSS_COMPOSE_GRID_BISECT_H

#include "loss/compose/bounds.h"
#include "loss/compose/grid.h"
#include "loss/compose/parts.h"

/* Rounds, each on a finer grid, until every answer is as narrow as the grid's width, or until finer grids no
 * longer bring the bounds closer: then they stay wider. The grid has its resolution to start with. Refused as
 * a first guess or a round is. */
pby_status pby_grid_search(pby_bounds *bounds, const pby_parts *parts, const pby_asked *asked, pby_grid *grid,
                           pby_error *err);

#endif
