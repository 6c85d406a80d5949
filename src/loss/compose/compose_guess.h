/* SPDX-License-Identifier: MIT */
/* The first step of a grid. Nothing of this is part of a proof: a bad guess costs time and no truth. */
#ifndef PBY_LOSS_COMPOSE_COMPOSE_GUESS_H
#define PBY_LOSS_COMPOSE_COMPOSE_GUESS_H

#include "loss/compose/grid.h"
#include "loss/compose/parts.h"

/* A first step for an answer of the grid's width at a delta of about 2^-resolution. Where the losses that
 * have a chance of their own are multiples of one rational that is not much finer, so is the step. Refused
 * where the losses of a single use are too large for any grid. */
pby_status pby_grid_guess(pby_grid *grid, const pby_parts *parts, const pby_asked *asked, pby_error *err);

#endif
