/* SPDX-License-Identifier: MIT */
#include "loss/compose/tailed.h"

#include <stdlib.h>

void pby_tailed_clear(pby_tailed *t)
{
    for (size_t i = 0; i < t->count; i++)
        pby_tails_clear(&t->tails[i]);
    free(t->tails);
    fmpq_clear(t->offset);
}

/* The range of the losses of all pairs that count, and how many they are. */
static pby_status widest_range(slong *low, slong *high, size_t *count, const pby_part *part,
                               pby_direction direction, const pby_grid *grid, pby_error *err)
{
    const slong bits = grid->resolution + (slong)FLINT_BIT_COUNT(part->times) + 2;
    const pby_pair *pair;
    pby_status status = PBY_OK;
    for (*count = 0; status == PBY_OK && (pair = pby_part_pair(part, direction, *count)) != NULL; ++*count) {
        slong a, b;
        status = pby_loss_range(&a, &b, pair, grid->step, bits, err);
        if (status != PBY_OK)
            break;
        *low = *count == 0 ? a : FLINT_MIN(a, *low);
        *high = *count == 0 ? b : FLINT_MAX(b, *high);
    }
    return status;
}

/* An offset is at most a step and a little, for which the range has room at either end. */
static pby_status set_offset(fmpq_t offset, slong *low, slong *high, const pby_pair *pair,
                             const pby_grid *grid, pby_error *err)
{
    enum { ROOM = 2 };
    if (!pby_pair_dense(pair))
        return PBY_OK;
    *low -= ROOM;
    *high += ROOM;
    return pby_loss_offset(offset, pair, grid->step, *low, *high, err);
}

pby_status pby_tailed_init(pby_tailed *t, const pby_part *part, pby_direction direction, const pby_grid *grid,
                           bool offset, slong bits, pby_error *err)
{
    const slong fine = bits + PBY_LENGTH_BITS + pby_step_places(grid->step);
    slong low = 0, high = 0;
    size_t count;
    *t = (pby_tailed){.times = part->times};
    fmpq_init(t->offset);
    pby_status status = widest_range(&low, &high, &count, part, direction, grid, err);
    if (status == PBY_OK && offset && count == 1)
        status = set_offset(t->offset, &low, &high, pby_part_pair(part, direction, 0), grid, err);
    if (status == PBY_OK)
        status = pby_tails_fit(high - low, count, bits, err);
    if (status != PBY_OK)
        return status;
    t->tails = calloc(count, sizeof *t->tails);
    if (t->tails == NULL)
        return pby_no_memory(err);
    while (status == PBY_OK && t->count < count) {
        const pby_pair *pair = pby_part_pair(part, direction, t->count);
        status = pby_tails_init(&t->tails[t->count++], pair, grid->step, t->offset, low, high, fine, err);
    }
    return status;
}
