/* SPDX-License-Identifier: MIT */
/* A composition on one grid: bounds from both sides out. */
#ifndef PBY_LOSS_COMPOSE_ROUND_H
#define PBY_LOSS_COMPOSE_ROUND_H

#include "loss/compose/bounds.h"
#include "loss/compose/grid.h"
#include "loss/compose/parts.h"

/* Bounds on every answer. Refused where a grid or a product would need more than PBY_MEMORY_MAX_MIB. */
pby_status pby_grid_round(pby_bounds *bounds, const pby_parts *parts, const pby_asked *asked,
                          const pby_grid *grid, pby_error *err);

#endif
