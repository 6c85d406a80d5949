/* SPDX-License-Identifier: MIT */
#include "release/plan_draw.h"

#include <sodium.h>
#include <stdlib.h>

#include "number/scoped.h"
#include "release/quantile_scores.h"
#include "release/release_numbers.h"

/* The loss is that of the plan's list, whichever neighbours it is about; here the law of the noise alone
 * matters. */
static const pby_neighbours any = PBY_ADD_REMOVE;

/* ---- choices ------------------------------------------------------------------------------------- */

/* A point of each group. */
static pby_status draw_points(int64_t *out, pby_release *release, const pby_plan_quantity *q,
                              const int64_t *count, pby_error *err)
{
    for (size_t i = 0; i < q->cells; i++) {
        uint64_t chosen = 0;
        pby_status status = pby_quantile_scores(release, count + i * q->candidates, q->candidates,
                                                q->share.over, q->share.under, err);
        if (status == PBY_OK)
            status = pby_release_candidate(release, &chosen, err);
        pby_release_clear_scores(release);
        PBY_TRY(status);
        out[i] = (int64_t)chosen;
    }
    return PBY_OK;
}

/* One choice among the groups that are left. */
static pby_status draw_group(size_t *chosen, pby_release *release, const int64_t *rows, const bool *gone,
                             size_t n, pby_error *err)
{
    pby_status status = PBY_OK;
    uint64_t among = 0;
    PBY_MPQ(score);
    for (size_t i = 0; i < n && status == PBY_OK; i++)
        if (!gone[i]) {
            mpq_set_si(score, rows[i], 1);
            status = pby_release_score(release, score, err);
        }
    if (status == PBY_OK)
        status = pby_release_candidate(release, &among, err);
    pby_release_clear_scores(release);
    for (size_t i = 0; i < n; i++)
        if (!gone[i] && among-- == 0) {
            *chosen = i;
            break;
        }
    return status;
}

/* Groups one after the other: what was chosen is public, and is left out of the next choice. */
static pby_status draw_groups(int64_t *out, pby_release *release, const pby_plan_quantity *q,
                              const int64_t *rows, pby_error *err)
{
    bool *gone = calloc(q->candidates, sizeof *gone);
    pby_status status = gone == NULL ? pby_no_memory(err) : PBY_OK;
    for (size_t i = 0; i < q->cells && status == PBY_OK; i++) {
        size_t chosen = 0;
        status = draw_group(&chosen, release, rows, gone, q->candidates, err);
        gone[chosen] = true;
        out[i] = (int64_t)chosen;
    }
    free(gone);
    return status;
}

static pby_status draw_choices(int64_t **out, const pby_plan_quantity *q, const pby_spec *spec,
                               const int64_t *tally, pby_error *err)
{
    pby_release *release;
    PBY_TRY(pby_release_new(&release, spec, any, err));
    *out = calloc(q->cells + 1, sizeof **out);
    const pby_status status = *out == NULL                   ? pby_no_memory(err)
                              : q->part == PBY_PART_QUANTILE ? draw_points(*out, release, q, tally, err)
                                                             : draw_groups(*out, release, q, tally, err);
    pby_release_free(release);
    return status;
}

/* ---- all of it ----------------------------------------------------------------------------------- */

/* From the last quantity on: a quantile reads the numbers of an earlier one. */
static pby_status draw(pby_plan_cells *cells, const pby_plan_quantities *q, size_t i, pby_error *err)
{
    const pby_plan_quantity *x = &q->quantity[i];
    int64_t *chosen = NULL;
    pby_spec *spec;
    PBY_TRY(pby_plan_cell_spec(&spec, x, err));
    pby_status status = x->candidates > 0
                            ? draw_choices(&chosen, x, spec, cells->cell[x->tally], err)
                            : pby_release_numbers(spec, any, cells->cell[i], cells->cells[i], err);
    pby_spec_free(spec);
    if (chosen == NULL)
        return status;
    sodium_memzero(cells->cell[i], cells->cells[i] * sizeof **cells->cell);
    free(cells->cell[i]);
    cells->cell[i] = chosen;
    cells->cells[i] = x->cells;
    return status;
}

pby_status pby_plan_draw(pby_plan_cells *cells, const pby_plan_quantities *q, pby_error *err)
{
    for (size_t i = cells->count; i-- > 0;)
        PBY_TRY(draw(cells, q, i, err));
    return PBY_OK;
}
