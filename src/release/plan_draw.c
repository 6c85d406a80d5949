/* SPDX-License-Identifier: MIT */
#include "release/plan_draw.h"
#include "probity/experimental/parts.h"

#include <sodium.h>
#include <stdlib.h>

#include "number/scoped.h"
#include "release/plan_hidden.h"
#include "release/quantile_draw.h"
#include "release/release_numbers.h"

/* The loss is that of the plan's list, whichever neighbours it is about; here the law of the noise alone
 * matters. */
static const pby_neighbours any = PBY_ADD_REMOVE;

/* ---- choices ------------------------------------------------------------------------------------- */

static pby_status draw_point(int64_t *out, pby_release *release, const pby_plan_quantity *q,
                             const int64_t *count, pby_error *err)
{
    uint64_t chosen = 0;
    const pby_status status =
        pby_quantile_draw(&chosen, release, count, q->candidates, q->share.over, q->share.under, err);
    *out = (int64_t)chosen;
    return status;
}

/* A point of each group, all of which are in one tally. */
static pby_status draw_points(int64_t *out, pby_release *release, const pby_plan_quantity *q,
                              const int64_t *count, pby_error *err)
{
    for (size_t i = 0; i < q->cells; i++)
        PBY_TRY(draw_point(&out[i], release, q, count + i * q->candidates, err));
    return PBY_OK;
}

/* A point of each hidden group that passed, one tally after the other. */
static pby_status draw_hidden_points(int64_t *out, pby_release *release, const pby_plan_quantity *q,
                                     const pby_plan_hidden *h, pby_error *err)
{
    int64_t *count = calloc(q->candidates, sizeof *count);
    pby_status status = count == NULL ? pby_no_memory(err) : PBY_OK;
    for (size_t i = 0; i < h->passed && status == PBY_OK; i++) {
        pby_plan_hidden_points(count, h, q, i);
        status = draw_point(&out[i], release, q, count, err);
    }
    if (count != NULL)
        sodium_memzero(count, q->candidates * sizeof *count);
    free(count);
    return status;
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

static pby_status draw_choices(pby_plan_cells *cells, const pby_plan_quantities *q, size_t i,
                               const pby_spec *spec, pby_error *err)
{
    const pby_plan_quantity *x = &q->quantity[i];
    const pby_plan_hidden *h = &cells->hidden[x->grouping];
    const size_t n = h->names != NULL ? h->passed : x->cells;
    int64_t *out = calloc(n + 1, sizeof *out);
    pby_release *release = NULL;
    pby_status status = out == NULL ? pby_no_memory(err) : pby_release_new(&release, spec, any, err);
    if (status == PBY_OK)
        status = x->part == PBY_PART_TOP ? draw_groups(out, release, x, cells->cell[i], err)
                 : h->names != NULL      ? draw_hidden_points(out, release, x, h, err)
                                         : draw_points(out, release, x, cells->cell[x->tally], err);
    pby_release_free(release);
    if (status != PBY_OK) {
        free(out);
        return status;
    }
    pby_plan_cells_put(cells, i, out, n);
    return PBY_OK;
}

/* ---- all of it ----------------------------------------------------------------------------------- */

static pby_status draw(pby_plan_cells *cells, const pby_plan_quantities *q, size_t i, pby_error *err)
{
    const pby_plan_quantity *x = &q->quantity[i];
    pby_spec *spec;
    if (x->gate) /* it was drawn first */
        return PBY_OK;
    PBY_TRY(pby_plan_cell_spec(&spec, x, err));
    const pby_status status = x->candidates > 0
                                  ? draw_choices(cells, q, i, spec, err)
                                  : pby_release_numbers(spec, any, cells->cell[i], cells->cells[i], err);
    pby_spec_free(spec);
    return status;
}

/* Gates first; then from the last quantity on, as a quantile reads the numbers of an earlier one. */
pby_status pby_plan_draw(pby_plan_cells *cells, const pby_release_plan *plan, const pby_plan_quantities *q,
                         pby_error *err)
{
    for (size_t i = 0; i < cells->groupings; i++)
        PBY_TRY(pby_plan_hidden_pass(cells, plan, q, i, err));
    for (size_t i = cells->count; i-- > 0;)
        PBY_TRY(draw(cells, q, i, err));
    return PBY_OK;
}
