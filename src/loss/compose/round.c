/* SPDX-License-Identifier: MIT */
#include "loss/compose/round.h"

#include <flint/fmpq_vec.h>
#include <stdlib.h>

#include "base/interrupt.h"
#include "base/work.h"
#include "loss/compose/compose_choose.h"
#include "number/scoped.h"

/* ---- a round in one direction ----------------------------------------------------------------- */

/* All lower plds together have a slack of the step over 2^SLACK_BITS, and less for a narrower answer. */
static void set_slack(pby_round *r, uint64_t uses)
{
    enum { SLACK_BITS = 10 };
    fmpz_t parts;
    fmpz_init_set_ui(parts, uses);
    fmpq_init(r->slack);
    fmpq_init(r->share);
    fmpq_div_2exp(r->slack, r->grid->step, (flint_bitcnt_t)(SLACK_BITS + pby_grid_spare(r->grid)));
    fmpq_div_fmpz(r->share, r->slack, parts);
    fmpz_clear(parts);
}

/* Shifts and raises the points of the question by as much as the losses were. */
static void set_raised(pby_round *r)
{
    const size_t count = r->asked->count;
    PBY_FMPQ(part, all);
    PBY_FMPZ(times);
    for (size_t i = 0; i < r->count; i++) {
        fmpz_set_ui(times, r->tailed[i].times);
        fmpq_mul_fmpz(part, r->tailed[i].offset, times);
        fmpq_add(all, all, part);
    }
    for (size_t i = 0; i < count; i++) {
        fmpq_add(r->shifted + i, r->asked->at + i, all);
        fmpq_add(r->raised + i, r->shifted + i, r->slack);
    }
    fmpq_set(r->offset, all);
}

static void round_clear(pby_round *r)
{
    for (size_t i = 0; i < r->count; i++)
        pby_tailed_clear(&r->tailed[i]);
    free(r->tailed);
    free(r->choice);
    _fmpq_vec_clear(r->raised, (slong)r->asked->count);
    _fmpq_vec_clear(r->shifted, (slong)r->asked->count);
    fmpq_clear(r->offset);
    _arb_vec_clear(r->ball, (slong)r->asked->count);
    fmpq_clear(r->share);
    fmpq_clear(r->slack);
}

/* Offsets are for products. Where some part has a choice of pairs, values are worked out that know of none.
 */
static bool may_offset(const pby_parts *parts, pby_direction direction)
{
    for (size_t i = 0; i < parts->count; i++)
        if (pby_part_pair(&parts->part[i], direction, 1) != NULL)
            return false;
    return true;
}

static pby_status round_init(pby_round *r, const pby_parts *parts, pby_direction direction,
                             const pby_asked *asked, const pby_grid *grid, pby_error *err)
{
    const uint64_t uses = pby_parts_times(parts);
    *r = (pby_round){.asked = asked, .grid = grid};
    r->bits = grid->resolution + (slong)FLINT_BIT_COUNT(uses) + PBY_LENGTH_BITS;
    r->log_budget = r->bits - grid->resolution - 1 - (slong)FLINT_BIT_COUNT(2 * parts->count);
    set_slack(r, uses);
    fmpq_init(r->offset);
    r->raised = _fmpq_vec_init((slong)asked->count);
    r->shifted = _fmpq_vec_init((slong)asked->count);
    r->ball = _arb_vec_init((slong)asked->count);
    r->tailed = calloc(parts->count, sizeof *r->tailed);
    r->choice = calloc(parts->count, sizeof *r->choice);
    if (r->tailed == NULL || r->choice == NULL)
        return pby_no_memory(err);
    const bool offset = may_offset(parts, direction);
    const uint64_t began = pby_work_spent();
    pby_status status = PBY_OK;
    while (r->count < parts->count && status == PBY_OK) {
        status = pby_interrupt_check(err);
        if (status == PBY_OK)
            status = pby_work_paces(began, r->count, parts->count, err);
        if (status != PBY_OK)
            break;
        status = pby_tailed_init(&r->tailed[r->count], &parts->part[r->count], direction, grid, offset,
                                 r->bits, err);
        r->count++;
    }
    set_raised(r);
    return status;
}

/* ---- a round ---------------------------------------------------------------------------------- */

/* Upper bounds by the pair that dominates all of a part's. */
static pby_status bound(pby_bounds *bounds, pby_round *r, pby_error *err)
{
    pby_pld upper;
    for (size_t i = 0; i < bounds->count; i++) {
        arf_neg_inf(bounds->lower + i);
        arf_pos_inf(bounds->upper + i);
    }
    pby_pld_init(&upper, r->bits, true);
    pby_status status = pby_round_multiply(&upper, r, true, err);
    if (status == PBY_OK) {
        pby_round_read_pld(bounds->upper, &upper, r);
        status = pby_round_choose(bounds, &upper, r, err);
    }
    pby_pld_clear(&upper);
    return status;
}

static pby_status round_in_direction(pby_bounds *bounds, const pby_parts *parts, pby_direction direction,
                                     const pby_asked *asked, const pby_grid *grid, pby_error *err)
{
    pby_round r;
    pby_status status = round_init(&r, parts, direction, asked, grid, err);
    if (status == PBY_OK)
        status = bound(bounds, &r, err);
    round_clear(&r);
    return status;
}

pby_status pby_grid_round(pby_bounds *bounds, const pby_parts *parts, const pby_asked *asked,
                          const pby_grid *grid, pby_error *err)
{
    pby_direction directions[2];
    const size_t count = pby_parts_directions(directions, parts);
    pby_bounds other;
    pby_bounds_init(&other, asked->count);
    pby_status status = round_in_direction(bounds, parts, directions[0], asked, grid, err);
    if (status == PBY_OK && count > 1)
        status = round_in_direction(&other, parts, directions[1], asked, grid, err);
    if (status == PBY_OK && count > 1)
        pby_bounds_max(bounds, &other);
    pby_bounds_clear(&other);
    return status;
}
