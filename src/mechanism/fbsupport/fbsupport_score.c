/* SPDX-License-Identifier: MIT */
#include "mechanism/fbsupport/fbsupport_score.h"

#include <sodium.h>
#include <stdlib.h>

#include "kernel/support.h"
#include "mechanism/depth/depth_score.h"

static int64_t below(int64_t a)
{
    return a < 0 ? a : 0;
}

int64_t pby_outer_least(const pby_outer *o)
{
    return (below(o->x) + below(o->y) + below(o->z)) * (o->side - 1);
}

int64_t pby_outer_places(const pby_outer *o)
{
    return (o->x + o->y + o->z) * (o->side - 1) - 2 * pby_outer_least(o) + 1;
}

static size_t cells_of(const pby_outer *o)
{
    const size_t side = (size_t)o->side;
    return o->dimension == 2 ? side * side : side * side * side;
}

/* Depths beyond 2 level - 1 tell nothing: a threshold below such points misses by the level. */
static pby_status find_depths(int64_t *depth, const pby_outer *o, const int64_t *count, pby_error *err)
{
    const pby_tukey t = {
        .dimension = o->dimension, .side = o->side, .reach = o->reach, .level = 2 * o->level - 1};
    const pby_status status = pby_tukey_falls((uint64_t *)depth, &t, count, err);
    for (size_t i = 0; i < cells_of(o); i++)
        depth[i] = t.level - depth[i];
    return status;
}

/* The greatest depth at each place: row by row along the last axis. */
static void find_best(int64_t *best, size_t places, const int64_t *depth, const pby_outer *o)
{
    const size_t side = (size_t)o->side;
    for (size_t row = 0; row < cells_of(o) / side; row++) {
        const int64_t i = (int64_t)row;
        const int64_t at = o->dimension == 2 ? o->x * i : o->x * (i / o->side) + o->y * (i % o->side);
        pby_support_row(best, (int64_t)places, depth + row * side, side, at - pby_outer_least(o),
                        o->dimension == 2 ? o->y : o->z);
    }
    pby_support_beyond(best, places);
}

pby_status pby_outer_falls(uint64_t *fall, const pby_outer *o, const int64_t *count, pby_error *err)
{
    const size_t cells = cells_of(o), places = (size_t)pby_outer_places(o);
    int64_t *depth = calloc(cells, sizeof *depth), *best = calloc(places, sizeof *best);
    pby_status status = depth == NULL || best == NULL ? pby_no_memory(err)
                                                      : find_depths(depth, o, count, err);
    if (status == PBY_OK) {
        find_best(best, places, depth, o);
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
