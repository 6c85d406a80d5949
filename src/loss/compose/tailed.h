/* SPDX-License-Identifier: MIT */
/* The tails of all pairs of a part, on one grid. */
#ifndef PBY_LOSS_COMPOSE_TAILED_H
#define PBY_LOSS_COMPOSE_TAILED_H

#include "loss/compose/grid.h"
#include "loss/compose/parts.h"
#include "loss/pld/cells.h"

typedef struct pby_tailed {
    pby_tails *tails;
    size_t count;
    uint64_t times;
    fmpq_t offset; /* by which the losses of a use are raised */
} pby_tailed;

/* Bits by which the roundings of a whole round stay below the resolution, when each use has as many as
 * 2^PBY_LENGTH_BITS losses. */
enum { PBY_LENGTH_BITS = 24 };

/* The pairs that count in a direction, for masses of so many bits, with an offset where there may be one and
 * the part has a single, dense pair. Refused as pby_loss_range and
 * pby_tails_fit do; cleared by the caller, also then. */
pby_status pby_tailed_init(pby_tailed *t, const pby_part *part, pby_direction direction, const pby_grid *grid,
                           bool offset, slong bits, pby_error *err);
void pby_tailed_clear(pby_tailed *t);

#endif
