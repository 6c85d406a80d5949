/* SPDX-License-Identifier: MIT */
/* The steps are the lossy distance of the two laws in the metric that counts steps from neighbour to
 * neighbour. */
#include "lab/random/keeping.h"

#include <stdlib.h>

#include "base/status.h"

pby_status pby_keeping_fits(size_t before, size_t after, pby_error *err)
{
    return before <= PBY_KEEPING_MAX && after <= PBY_KEEPING_MAX
               ? PBY_OK
               : pby_fail(err, PBY_BAD, "table: expected at most %d keys, and as many new ones",
                          PBY_KEEPING_MAX);
}

/* Writes the steps from one value to all others: breadth first, those without a way being infinite. */
static void steps_from(pby_distance *row, const pby_keeping *map, size_t from)
{
    size_t queue[PBY_KEEPING_MAX], head = 0, tail = 0;
    bool found[PBY_KEEPING_MAX] = {false};
    queue[tail++] = from;
    found[from] = true;
    for (; head < tail; head++)
        for (size_t j = 0; j < map->after; j++)
            if (!found[j] && map->new_near[queue[head] * map->after + j]) {
                found[j] = true;
                queue[tail++] = j;
                mpq_set_ui(row[j].value, 1, 1);
                mpq_add(row[j].value, row[j].value, row[queue[head]].value);
            }
    for (size_t j = 0; j < map->after; j++)
        row[j].infinite = !found[j];
}

static pby_status all_pairs(pby_distance *steps, size_t *x, size_t *y, size_t *pairs, const pby_keeping *map,
                            const pby_distance *metric, mpq_srcptr theta, pby_error *err)
{
    pby_status status = PBY_OK;
    pby_distance one;
    pby_distance_init(&one);
    for (size_t i = 0; i < map->before; i++)
        for (size_t j = i + 1; j < map->before && status == PBY_OK; j++) {
            if (!map->near[i * map->before + j])
                continue;
            status = pby_metric_lossy(&one, map->chance + i * map->after, map->chance + j * map->after,
                                      metric, map->after, theta, err);
            if (status == PBY_OK && (*pairs == 0 || pby_distance_cmp(&one, steps) > 0)) {
                pby_distance_set(steps, &one);
                *x = i;
                *y = j;
            }
            ++*pairs;
        }
    pby_distance_clear(&one);
    return status;
}

pby_status pby_keeping_steps(pby_distance *steps, size_t *x, size_t *y, size_t *pairs, const pby_keeping *map,
                             mpq_srcptr theta, pby_error *err)
{
    const size_t n = map->after;
    PBY_TRY(pby_keeping_fits(map->before, n, err));
    pby_distance *metric = calloc(n * n, sizeof *metric);
    if (metric == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < n * n; i++)
        pby_distance_init(&metric[i]);
    for (size_t i = 0; i < n; i++)
        steps_from(metric + i * n, map, i);
    *x = *y = *pairs = 0;
    mpq_set_ui(steps->value, 0, 1);
    steps->infinite = false;
    const pby_status status = all_pairs(steps, x, y, pairs, map, metric, theta, err);
    for (size_t i = 0; i < n * n; i++)
        pby_distance_clear(&metric[i]);
    free(metric);
    return status;
}
