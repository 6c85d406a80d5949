/* SPDX-License-Identifier: MIT */
#include "plan/plan_quantity.h"
#include "number/integer.h"

#include <math.h>
#include <stdlib.h>

const char *const pby_plan_parts[] = {"rows",    "users",    "sum", "centred", "squares",
                                      "buckets", "quantile", "top", NULL};
const char *const pby_plan_families[] = {"dgauss", "geometric", "exponential", "threshold", NULL};

int64_t pby_plan_centre(const pby_plan_column *c)
{
    return c->lo + (c->hi - c->lo) / 2;
}

uint64_t pby_plan_reach(const pby_plan_column *c)
{
    const int64_t centre = pby_plan_centre(c), above = c->hi - centre, below = centre - c->lo;
    return (uint64_t)(above > below ? above : below);
}

uint64_t pby_plan_half_square(const pby_plan_column *c)
{
    const uint64_t reach = pby_plan_reach(c);
    return reach * reach / 2;
}

static uint64_t size_of(int64_t x)
{
    return (uint64_t)(x < 0 ? -x : x);
}

pby_plan_bounds pby_plan_bounds_of(const pby_plan_grouping *g)
{
    /* more groups than any user has */
    return (pby_plan_bounds){g->rows, g->k, g->m, g->hidden ? (uint64_t)1 << 40 : g->groups};
}

/* ---- one quantity -------------------------------------------------------------------------------- */

/* The most that one row moves a cell by, and true if rows may move it up and down. */
static bool measure(uint64_t *factor, const pby_plan_column *c, const pby_plan_quantity *q)
{
    const pby_plan_share p = q->share;
    *factor = 1;
    switch (q->part) {
    case PBY_PART_SUM:
        *factor = size_of(c->lo) > size_of(c->hi) ? size_of(c->lo) : size_of(c->hi);
        return c->lo < 0 && c->hi > 0;
    case PBY_PART_CENTRED:
        *factor = pby_plan_reach(c);
        return true;
    case PBY_PART_SQUARES:
        /* (j - c)^2 lies from 0 to R^2, so its distance from floor(R^2/2) is at most ceil(R^2/2) */
        *factor = pby_plan_reach(c) * pby_plan_reach(c) - pby_plan_half_square(c);
        return true;
    case PBY_PART_QUANTILE:
        *factor = p.over > p.under - p.over ? p.over : p.under - p.over;
        return true;
    default:
        return false;
    }
}

/* A quantile of the whole table under substitute: a row that is changed moves no score by more than 1,
 * which is less than twice what a row more does. */
static bool rows_change_in_place(const pby_plan_quantity *q, const pby_plan_bounds *b,
                                 pby_neighbours relation)
{
    return q->part == PBY_PART_QUANTILE && relation == PBY_SUBSTITUTE && b->groups == 1;
}

static void set_moves(pby_plan_quantity *q, const pby_release_plan *plan, size_t buckets)
{
    const pby_plan_bounds b = pby_plan_bounds_of(&plan->grouping[q->grouping]);
    const pby_plan_column *c = plan->columns == 0 ? NULL : &plan->column[q->column];
    const bool both = measure(&q->factor, c, q);
    if (q->part == PBY_PART_TOP)
        pby_plan_moves_top(&q->moves, &b, q->cells);
    else if (rows_change_in_place(q, &b, plan->relation)) {
        pby_plan_moves_of(&q->moves, &b, PBY_ADD_REMOVE);
        q->factor = q->unit;
    } else if (q->part == PBY_PART_USERS)
        pby_plan_moves_users(&q->moves, &b, plan->relation);
    else if (q->part == PBY_PART_BUCKETS)
        pby_plan_moves_buckets(&q->moves, &b, buckets, plan->relation);
    else if (both)
        pby_plan_moves_signed(&q->moves, &b, plan->relation);
    else
        pby_plan_moves_of(&q->moves, &b, plan->relation);
    for (unsigned i = 0; i < q->moves.parts; i++)
        q->moves.size[i] *= q->factor;
    mpq_set_ui(q->scale, 0, 1);
    pby_integer_set(mpq_numref(q->scale), q->factor);
    pby_integer_set(mpq_denref(q->scale), q->unit);
    mpq_canonicalize(q->scale);
    mpq_mul(q->scale, q->scale, plan->grouping[q->grouping].expect);
}

bool pby_plan_part_has_column(pby_plan_part part)
{
    return part != PBY_PART_ROWS && part != PBY_PART_USERS && part != PBY_PART_TOP;
}

/* The quantity of a part that serves the statistic, of a quantile the one of a share; NULL where there is
 * none. Two tops of one grouping choose twice. */
static pby_plan_quantity *find(pby_plan_quantities *out, pby_plan_part part, const pby_plan_statistic *s,
                               pby_plan_share share)
{
    for (size_t i = 0; i < out->count; i++) {
        pby_plan_quantity *q = &out->quantity[i];
        if (q->part == part && part != PBY_PART_TOP && q->grouping == s->grouping &&
            (!pby_plan_part_has_column(part) || q->column == s->column) &&
            (part != PBY_PART_BUCKETS || q->width == s->width) && q->share.over == share.over &&
            q->share.under == share.under)
            return q;
    }
    return NULL;
}

/* The first quantile of the column and grouping: it holds the rows of each point. */
static size_t find_tally(const pby_plan_quantities *out, const pby_plan_quantity *q)
{
    for (size_t i = 0; i < out->count; i++)
        if (q->part == PBY_PART_QUANTILE && out->quantity[i].part == q->part &&
            out->quantity[i].grouping == q->grouping && out->quantity[i].column == q->column)
            return i;
    return (size_t)(q - out->quantity);
}

static void set_cells(pby_plan_quantity *q, const pby_release_plan *plan, const pby_plan_statistic *s)
{
    const size_t groups = plan->grouping[s->grouping].groups;
    const pby_plan_column *c = plan->columns == 0 ? NULL : &plan->column[s->column];
    q->unit = 1;
    q->cells = q->tallied = groups * (q->part == PBY_PART_BUCKETS ? s->buckets : 1);
    if (q->part == PBY_PART_QUANTILE) {
        q->unit = q->share.under;
        q->candidates = (size_t)(c->hi - c->lo) + 1;
        q->tallied = groups * q->candidates;
        q->general = true;
    } else if (q->part == PBY_PART_TOP) {
        q->candidates = groups;
        q->cells = (size_t)s->best;
        q->general = plan->relation == PBY_SUBSTITUTE;
    }
    q->gate = q->part == PBY_PART_USERS && plan->grouping[s->grouping].hidden;
    q->fixed = q->candidates > 0 || q->gate;
    if (q->fixed)
        q->family = q->gate ? PBY_PLAN_THRESHOLD : PBY_PLAN_EXPONENTIAL;
}

/* A new group of one user passes with g = exp(-e (T-1))/(1 + exp(-e)). */
void pby_plan_set_threshold(pby_plan_quantity *q)
{
    const double eps = mpq_get_d(q->noise);
    if (!q->gate)
        return;
    const double least = 1 - (log(q->pass) + log1p(exp(-eps))) / eps;
    q->threshold = least < 1 ? 1 : least > 1e15 ? (int64_t)1e15 : (int64_t)ceil(least);
}

/* An error of a sum is stated in units of the column, and kept in steps. */
static void bound_error(pby_plan_quantity *q, const pby_release_plan *plan, const pby_plan_statistic *s)
{
    mpq_t within;
    mpq_init(within);
    mpq_set(within, s->within);
    if (q->part == PBY_PART_SUM)
        mpq_div(within, within, plan->column[s->column].step);
    if (!q->bounded || mpq_cmp(within, q->within) < 0)
        mpq_set(q->within, within);
    q->bounded = true;
    mpq_clear(within);
}

static pby_plan_quantity *provide(pby_plan_quantities *out, const pby_release_plan *plan,
                                  const pby_plan_statistic *s, pby_plan_part part, pby_plan_share share)
{
    pby_plan_quantity *q = find(out, part, s, share);
    if (q == NULL) {
        q = &out->quantity[out->count++];
        mpq_inits(q->weight, q->scale, q->within, q->noise, (mpq_ptr)0);
        q->part = part;
        q->grouping = s->grouping;
        q->column = s->column;
        q->width = s->width;
        q->share = share;
        q->tally = find_tally(out, q);
        set_cells(q, plan, s);
        set_moves(q, plan, s->buckets);
    }
    return q;
}

static void need(pby_plan_quantities *out, const pby_release_plan *plan, size_t statistic, pby_plan_part part,
                 pby_plan_share share)
{
    const pby_plan_statistic *s = &plan->statistic[statistic];
    pby_plan_needs *needs = &out->needs[statistic];
    const bool hidden = plan->grouping[s->grouping].hidden;
    if (hidden) /* which groups are told is decided by their users, asked for or not */
        (void)provide(out, plan, s, PBY_PART_USERS, (pby_plan_share){0, 0});
    /* without users a row is one, and a count is that of the gate */
    if (hidden && plan->user == NULL && s->kind == PBY_PLAN_COUNT)
        part = PBY_PART_USERS;
    pby_plan_quantity *q = provide(out, plan, s, part, share);
    if (s->bounded)
        bound_error(q, plan, s);
    else
        mpq_add(q->weight, q->weight, s->weight);
    needs->at[needs->count++] = (size_t)(q - out->quantity);
}

/* ---- all ----------------------------------------------------------------------------------------- */

pby_status pby_plan_quantities_of(pby_plan_quantities *out, const pby_release_plan *plan, pby_error *err)
{
    static const struct {
        size_t count;
        pby_plan_part part[PBY_PLAN_NEEDS_MAX];
    } parts[] = {
        [PBY_PLAN_COUNT] = {1, {PBY_PART_ROWS}},
        [PBY_PLAN_USERS] = {1, {PBY_PART_USERS}},
        [PBY_PLAN_SUM] = {1, {PBY_PART_SUM}},
        [PBY_PLAN_MEAN] = {2, {PBY_PART_ROWS, PBY_PART_CENTRED}},
        [PBY_PLAN_VARIANCE] = {3, {PBY_PART_ROWS, PBY_PART_CENTRED, PBY_PART_SQUARES}},
        [PBY_PLAN_HISTOGRAM] = {1, {PBY_PART_BUCKETS}},
        [PBY_PLAN_TOP] = {1, {PBY_PART_TOP}},
    };
    *out = (pby_plan_quantities){.count = 0};
    out->quantity = calloc(plan->statistics * PBY_PLAN_NEEDS_MAX + plan->groupings, sizeof *out->quantity);
    out->needs = calloc(plan->statistics, sizeof *out->needs);
    if (out->quantity == NULL || out->needs == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < plan->statistics; i++) {
        const pby_plan_statistic *s = &plan->statistic[i];
        for (size_t k = 0; k < parts[s->kind].count; k++)
            need(out, plan, i, parts[s->kind].part[k], (pby_plan_share){0, 0});
        for (size_t k = 0; k < s->shares; k++)
            need(out, plan, i, PBY_PART_QUANTILE, s->share[k]);
    }
    for (size_t i = 0; i < out->count; i++) /* a gate that no statistic asks for */
        if (!out->quantity[i].bounded && mpq_sgn(out->quantity[i].weight) == 0)
            mpq_set_ui(out->quantity[i].weight, 1, 1);
    return PBY_OK;
}

void pby_plan_quantities_clear(pby_plan_quantities *q)
{
    for (size_t i = 0; i < q->count; i++)
        mpq_clears(q->quantity[i].weight, q->quantity[i].scale, q->quantity[i].within, q->quantity[i].noise,
                   (mpq_ptr)0);
    free(q->quantity);
    free(q->needs);
    *q = (pby_plan_quantities){.count = 0};
}
