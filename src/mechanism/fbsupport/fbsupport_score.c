/* SPDX-License-Identifier: MIT */
#include "mechanism/fbsupport/fbsupport_score.h"

#include <sodium.h>
#include <stdlib.h>

#include "kernel/support.h"
#include "mechanism/depth/depth_score.h"

int64_t pby_outer_least(const pby_outer *o)
{
    return ((o->x < 0 ? o->x : 0) + (o->y < 0 ? o->y : 0)) * (o->side - 1);
}

int64_t pby_outer_places(const pby_outer *o)
{
    return ((o->x < 0 ? -o->x : o->x) + (o->y < 0 ? -o->y : o->y)) * (o->side - 1) + 1;
}

/* Depths beyond 2 level - 1 tell nothing: a threshold below such points misses by the level. */
static pby_status find_depths(int64_t *depth, const pby_outer *o, const int64_t *count, pby_error *err)
{
    const pby_tukey t = {.dimension = 2, .side = o->side, .reach = o->reach, .level = 2 * o->level - 1};
    const pby_status status = pby_tukey_falls((uint64_t *)depth, &t, count, err);
    for (int64_t i = 0; i < o->side * o->side; i++)
        depth[i] = t.level - depth[i];
    return status;
}

pby_status pby_outer_falls(uint64_t *fall, const pby_outer *o, const int64_t *count, pby_error *err)
{
    const size_t side = (size_t)o->side, cells = side * side, places = (size_t)pby_outer_places(o);
    int64_t *depth = calloc(cells, sizeof *depth), *best = calloc(places, sizeof *best);
    pby_status status = depth == NULL || best == NULL ? pby_no_memory(err)
                                                      : find_depths(depth, o, count, err);
    if (status == PBY_OK) {
        for (size_t i = 0; i < side; i++)
            pby_support_row(best, (int64_t)places, depth + i * side, side,
                            o->x * (int64_t)i - pby_outer_least(o), o->y);
        pby_support_beyond(best, places);
        pby_support_falls((int64_t *)fall, best, places, o->level);
    }
    if (depth != NULL)
        sodium_memzero(depth, cells * sizeof *depth);
    if (best != NULL)
        sodium_memzero(best, places * sizeof *best);
    free(depth);
    free(best);
    return status;
}
