/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "io/file.h"
#include "kernel/scan.h"
#include "number/integer.h"
#include "number/scoped.h"
#include "plan/plan.h"
#include "plan/plan_buckets.h"
#include "plan/plan_groups.h"
#include "plan/plan_quantity.h"
#include "plan/plan_value.h"
#include "probity/rational.h"

enum { SHARE_MAX = 1000000 };

const char *const pby_plan_kinds[] = {"count",    "users",     "sum", "mean", "variance",
                                      "quantile", "histogram", "top", NULL};

/* ---- unit, budget, horizon ----------------------------------------------------------------------- */

static pby_status read_unit(pby_release_plan *p, const pby_plan_reader *r, uint64_t *rows, mpq_t expect)
{
    static const char *const keys[] = {"user", "neighbours", "rows", "expect", NULL};
    const pby_toml *unit = pby_toml_at(r->root, "unit"), *value;
    mpq_set_ui(expect, 1, 1);
    if (unit == NULL)
        return PBY_OK;
    const pby_plan_place place = {r, "unit", unit};
    PBY_TRY(pby_plan_keys(&place, keys));
    PBY_TRY(pby_plan_name(&p->user, &place, "user", false));
    if ((value = pby_toml_at(unit, "neighbours")) != NULL) {
        if (value->kind != PBY_TOML_TEXT || strcmp(value->text, "local") == 0 ||
            pby_neighbours_parse(&p->relation, "neighbours", value->text, NULL) != PBY_OK)
            return pby_plan_refuse(&place, "neighbours", value, "add-remove or substitute");
    }
    if (p->user == NULL && (value = pby_toml_at(unit, "rows")) != NULL)
        return pby_plan_refuse(&place, "rows", value, "it with user: without one, a row is the unit");
    PBY_TRY(pby_plan_integer(rows, &place, "rows", 1, PBY_PLAN_BOUND_MAX));
    return pby_plan_positive(expect, &place, "expect");
}

mpq_ptr pby_plan_budget(pby_release_plan *plan)
{
    return plan->budget == PBY_ASK_DELTA ? plan->epsilon : plan->bound;
}

const char *pby_plan_budget_name(const pby_release_plan *plan)
{
    return plan->budget == PBY_ASK_RHO ? "rho" : plan->budget == PBY_ASK_MU ? "mu" : "epsilon";
}

static pby_status read_budget(pby_release_plan *p, const pby_plan_reader *r)
{
    static const char *const keys[] = {"epsilon", "delta", "rho", "mu", NULL};
    static const char expected[] = "one of epsilon and delta, rho, or mu";
    const pby_toml *budget = pby_toml_at(r->root, "budget");
    if (budget == NULL)
        return pby_plan_refuse_missing(r, "budget", "[budget] with epsilon and delta, rho, or mu");
    const pby_plan_place place = {r, "budget", budget};
    PBY_TRY(pby_plan_keys(&place, keys));
    const pby_toml *rho = pby_toml_at(budget, "rho"), *epsilon = pby_toml_at(budget, "epsilon"),
                   *delta = pby_toml_at(budget, "delta"), *mu = pby_toml_at(budget, "mu");
    const bool pair = epsilon != NULL || delta != NULL;
    if (rho != NULL && (pair || mu != NULL))
        return pby_plan_refuse(&place, "rho", rho, expected);
    if (mu != NULL && pair)
        return pby_plan_refuse(&place, "mu", mu, expected);
    p->budget = rho != NULL ? PBY_ASK_RHO : mu != NULL ? PBY_ASK_MU : PBY_ASK_DELTA;
    if (p->budget != PBY_ASK_DELTA)
        return pby_plan_positive(p->bound, &place, pby_plan_budget_name(p));
    if (epsilon == NULL)
        return pby_plan_refuse_missing(r, "budget.epsilon", expected);
    PBY_TRY(pby_plan_positive(p->epsilon, &place, "epsilon"));
    if (delta == NULL)
        return PBY_OK;
    PBY_TRY(pby_plan_number(p->delta, &place, "delta"));
    return mpq_sgn(p->delta) >= 0 && mpq_cmp_ui(p->delta, 1, 1) < 0
               ? PBY_OK
               : pby_plan_refuse(&place, "delta", delta, "a rational from 0 to below 1");
}

static pby_status read_horizon(pby_release_plan *p, const pby_plan_reader *r)
{
    static const char *const keys[] = {"times", NULL};
    const pby_toml *horizon = pby_toml_at(r->root, "horizon");
    p->times = 1;
    if (horizon == NULL)
        return PBY_OK;
    const pby_plan_place place = {r, "horizon", horizon};
    PBY_TRY(pby_plan_keys(&place, keys));
    return pby_plan_integer(&p->times, &place, "times", 1, PBY_PLAN_TIMES_MAX);
}

/* ---- columns ------------------------------------------------------------------------------------- */

/* A number of the grid, in steps; steps are counted within 2^40. */
static pby_status read_point(int64_t *out, const pby_plan_place *place, const char *key, mpq_srcptr step,
                             const char *expected)
{
    PBY_MPQ(x);
    PBY_TRY(pby_plan_number(x, place, key));
    mpq_div(x, x, step);
    if (mpz_cmp_ui(mpq_denref(x), 1) != 0 || mpz_sizeinbase(mpq_numref(x), 2) > 40)
        return pby_plan_refuse(place, key, pby_toml_at(place->table, key), expected);
    *out = pby_integer_signed(mpq_numref(x));
    return PBY_OK;
}

static pby_status read_missing(pby_plan_column *c, const pby_plan_place *place)
{
    static const char expected[] = "\"drop\", or a multiple of step from low to high";
    const pby_toml *value = pby_toml_at(place->table, "missing");
    if (value == NULL || (value->kind == PBY_TOML_TEXT && strcmp(value->text, "drop") == 0))
        return PBY_OK;
    c->fills = true;
    PBY_TRY(read_point(&c->missing, place, "missing", c->step, expected));
    return c->missing >= c->lo && c->missing <= c->hi ? PBY_OK
                                                      : pby_plan_refuse(place, "missing", value, expected);
}

static pby_status read_column(pby_plan_column *c, const pby_plan_place *place)
{
    static const char *const keys[] = {"low", "high", "step", "missing", NULL};
    static const char grid[] = "a multiple of step, below 2^40 of them";
    PBY_TRY(pby_plan_keys(place, keys));
    for (size_t i = 0; i < 3; i++)
        if (pby_toml_at(place->table, keys[i]) == NULL)
            return pby_plan_refuse_key(place, keys[i], "low, high, step, known without the data");
    PBY_TRY(pby_plan_positive(c->step, place, "step"));
    PBY_TRY(read_point(&c->lo, place, "low", c->step, grid));
    PBY_TRY(read_point(&c->hi, place, "high", c->step, grid));
    if (c->lo >= c->hi)
        return pby_plan_refuse(place, "high", pby_toml_at(place->table, "high"), "a number above low");
    if (c->hi - c->lo >= PBY_PLAN_CELLS_MAX)
        return pby_plan_refuse(place, "step", pby_toml_at(place->table, "step"),
                               "at most 2^20 points from low to high");
    return read_missing(c, place);
}

static pby_status read_columns(pby_release_plan *p, const pby_plan_reader *r)
{
    const pby_toml *columns = pby_toml_at(r->root, "columns");
    if (columns == NULL)
        return PBY_OK;
    if (columns->kind != PBY_TOML_TABLE || columns->count > PBY_PLAN_COLUMNS_MAX)
        return pby_plan_refuse_missing(r, "columns", "up to 8 tables, such as [columns.amount]");
    p->column = calloc(columns->count + 1, sizeof *p->column);
    if (p->column == NULL)
        return pby_no_memory(r->err);
    for (const pby_toml *table = columns->first; table != NULL; table = table->next) {
        char path[PBY_PLAN_PATH];
        snprintf(path, sizeof path, "columns.%.60s", table->key);
        const pby_plan_place place = {r, path, table};
        pby_plan_column *c = &p->column[p->columns++];
        mpq_init(c->step);
        PBY_TRY(pby_plan_copy(&c->name, table->key, r->err));
        PBY_TRY(read_column(c, &place));
    }
    return PBY_OK;
}

/* ---- groupings ----------------------------------------------------------------------------------- */

/* C, k and m, each 0 where it is not given. */
static pby_status set_bounds(pby_plan_grouping *g, const pby_plan_place *place, bool users)
{
    static const char expected[] =
        "rows, or groups_per_user and rows_per_group: a user's rows are not bounded";
    if (users && g->rows == 0 && (g->k == 0 || g->m == 0))
        return pby_plan_refuse_key(place, g->k == 0 ? "groups_per_user" : "rows_per_group", expected);
    pby_plan_bounds b = pby_plan_bounds_of(g);
    if (!users)
        b = (pby_plan_bounds){1, 1, 1, b.groups};
    if (b.rows == 0)
        b.rows = b.k * b.m > PBY_PLAN_BOUND_MAX ? PBY_PLAN_BOUND_MAX : b.k * b.m;
    if (b.k == 0)
        b.k = b.rows;
    if (b.m == 0)
        b.m = b.rows;
    pby_plan_bounds_cut(&b);
    g->rows = pby_plan_bounds_total(&b);
    g->k = b.k;
    g->m = b.m;
    return PBY_OK;
}

static pby_status read_by(pby_plan_grouping *g, const pby_plan_place *place)
{
    static const char expected[] = "a list of 1 to 4 columns' names, each once";
    const pby_toml *by = pby_toml_at(place->table, "by");
    if (by == NULL)
        return pby_plan_refuse_key(place, "by", expected);
    if (by->kind != PBY_TOML_LIST || by->count == 0 || by->count > PBY_PLAN_BY_MAX)
        return pby_plan_refuse(place, "by", by, expected);
    for (const pby_toml *name = by->first; name != NULL; name = name->next) {
        if (name->kind != PBY_TOML_TEXT || *name->text == '\0')
            return pby_plan_refuse(place, "by", name, expected);
        PBY_TRY(pby_plan_read_column(g, place, name));
        for (size_t i = 0; i + 1 < g->by; i++)
            if (strcmp(g->column[i], g->column[g->by - 1]) == 0)
                return pby_plan_refuse(place, "by", name, expected);
    }
    return PBY_OK;
}

/* A group that only one user has passes with some chance, which is a delta at every epsilon. */
static pby_status check_hidden(const pby_release_plan *p, const pby_plan_grouping *g,
                               const pby_plan_place *place)
{
    if (!g->hidden || (p->budget == PBY_ASK_DELTA && mpq_sgn(p->delta) > 0))
        return PBY_OK;
    return p->budget == PBY_ASK_DELTA
               ? pby_plan_refuse_missing(place->reader, "budget.delta",
                                         "more than 0: hidden groups need a delta")
               : pby_plan_refuse(place, "hidden", pby_toml_at(place->table, "hidden"),
                                 "a budget of epsilon and a delta above 0, which hidden groups need; rho "
                                 "and mu have none");
}

static pby_status read_grouping(pby_release_plan *p, pby_plan_grouping *g, const pby_plan_place *place,
                                uint64_t rows, mpq_srcptr expect)
{
    static const char *const keys[] = {
        "by", "groups", "file", "hidden", "groups_per_user", "rows_per_group", "expect", NULL};
    const pby_toml *value;
    PBY_TRY(pby_plan_keys(place, keys));
    for (size_t i = 4; i < 6; i++)
        if (p->user == NULL && (value = pby_toml_at(place->table, keys[i])) != NULL)
            return pby_plan_refuse(place, keys[i], value,
                                   "it with unit.user: without one, a row is the unit");
    PBY_TRY(read_by(g, place));
    PBY_TRY(pby_plan_read_groups(g, place));
    PBY_TRY(check_hidden(p, g, place));
    PBY_TRY(pby_plan_integer(&g->k, place, "groups_per_user", 1, PBY_PLAN_BOUND_MAX));
    PBY_TRY(pby_plan_integer(&g->m, place, "rows_per_group", 1, PBY_PLAN_BOUND_MAX));
    g->rows = rows;
    mpq_set(g->expect, expect);
    PBY_TRY(pby_plan_positive(g->expect, place, "expect"));
    g->expected = p->grouping[0].expected || pby_toml_at(place->table, "expect") != NULL;
    return set_bounds(g, place, p->user != NULL);
}

/* The first grouping is the whole table; its rows are not bounded, and 0, where [unit] has none. */
static void set_table(pby_release_plan *p, uint64_t rows, mpq_srcptr expect)
{
    pby_plan_grouping *g = &p->grouping[p->groupings++];
    mpq_init(g->expect);
    mpq_set(g->expect, expect);
    g->groups = 1;
    g->k = 1;
    g->rows = g->m = p->user == NULL ? 1 : rows;
}

static pby_status read_groupings(pby_release_plan *p, const pby_plan_reader *r, uint64_t rows,
                                 mpq_srcptr expect)
{
    const pby_toml *groupings = pby_toml_at(r->root, "groupings");
    const size_t count = groupings == NULL ? 0 : groupings->count;
    if (groupings != NULL && (groupings->kind != PBY_TOML_TABLE || count >= PBY_PLAN_GROUPINGS_MAX))
        return pby_plan_refuse_missing(r, "groupings", "up to 15 tables, such as [groupings.shops]");
    p->grouping = calloc(count + 1, sizeof *p->grouping);
    if (p->grouping == NULL)
        return pby_no_memory(r->err);
    set_table(p, rows, expect);
    const pby_toml *unit = pby_toml_at(r->root, "unit");
    p->grouping[0].expected = unit != NULL && pby_toml_at(unit, "expect") != NULL;
    for (const pby_toml *table = count == 0 ? NULL : groupings->first; table != NULL; table = table->next) {
        char path[PBY_PLAN_PATH];
        snprintf(path, sizeof path, "groupings.%.60s", table->key);
        const pby_plan_place place = {r, path, table};
        pby_plan_grouping *g = &p->grouping[p->groupings++];
        mpq_init(g->expect);
        PBY_TRY(pby_plan_copy(&g->name, table->key, r->err));
        PBY_TRY(read_grouping(p, g, &place, rows, expect));
    }
    return PBY_OK;
}

/* ---- statistics ---------------------------------------------------------------------------------- */

static bool is_plain_name(const char *text)
{
    const size_t size = strlen(text);
    return size > 0 && size <= PBY_PLAN_NAME_MAX &&
           strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == size && strcmp(text, "release") != 0;
}

static pby_status read_own_name(pby_release_plan *p, pby_plan_statistic *s, const pby_plan_place *place)
{
    static const char expected[] =
        "small letters, digits and hyphens, at most 60, each name once, and not release";
    const pby_toml *name = pby_toml_at(place->table, "name");
    if (name == NULL)
        return pby_plan_refuse_key(place, "name", expected);
    bool good = name->kind == PBY_TOML_TEXT && is_plain_name(name->text);
    for (const pby_plan_statistic *other = p->statistic; other < s && good; other++)
        good = strcmp(other->name, name->text) != 0;
    return good ? pby_plan_copy(&s->name, name->text, place->reader->err)
                : pby_plan_refuse(place, "name", name, expected);
}

static pby_status read_kind(pby_plan_statistic *s, const pby_plan_place *place)
{
    static const char expected[] = "count, users, sum, mean, variance, quantile, histogram or top";
    const pby_toml *kind = pby_toml_at(place->table, "kind");
    size_t found;
    if (kind == NULL)
        return pby_plan_refuse_key(place, "kind", expected);
    char name[PBY_PLAN_PATH];
    pby_plan_key(name, place, "kind");
    if (kind->kind != PBY_TOML_TEXT)
        return pby_plan_refuse(place, "kind", kind, expected);
    PBY_TRY(pby_name_find(&found, pby_plan_kinds, name, kind->text, place->reader->err));
    s->kind = (pby_plan_kind)found;
    return PBY_OK;
}

bool pby_plan_has_column(pby_plan_kind kind)
{
    return kind != PBY_PLAN_COUNT && kind != PBY_PLAN_USERS && kind != PBY_PLAN_TOP;
}

static pby_status find_column(const pby_release_plan *p, pby_plan_statistic *s, const pby_plan_place *place)
{
    static const char expected[] = "a column with low, high, step, known without the data, in [columns.NAME]";
    const pby_toml *of = pby_toml_at(place->table, "of");
    if (!pby_plan_has_column(s->kind))
        return of == NULL ? PBY_OK : pby_plan_refuse(place, "of", of, "no column: it counts rows or users");
    if (of == NULL)
        return pby_plan_refuse_key(place, "of", expected);
    for (size_t i = 0; i < p->columns && of->kind == PBY_TOML_TEXT; i++)
        if (strcmp(p->column[i].name, of->text) == 0) {
            s->column = i;
            return PBY_OK;
        }
    return pby_plan_refuse(place, "of", of, expected);
}

static pby_status find_grouping(const pby_release_plan *p, pby_plan_statistic *s, const pby_plan_place *place)
{
    const pby_toml *group = pby_toml_at(place->table, "group");
    if (group == NULL && p->user != NULL && p->grouping[0].rows == 0)
        return pby_plan_refuse_missing(place->reader, "unit.rows",
                                       "rows: a user's rows in the whole table are not bounded");
    if (group == NULL)
        return PBY_OK;
    for (size_t i = 1; i < p->groupings && group->kind == PBY_TOML_TEXT; i++)
        if (strcmp(p->grouping[i].name, group->text) == 0) {
            s->grouping = i;
            return PBY_OK;
        }
    return pby_plan_refuse(place, "group", group, "the name of a grouping, [groupings.NAME]");
}

static pby_status read_weight(pby_plan_statistic *s, const pby_plan_place *place)
{
    const pby_toml *within = pby_toml_at(place->table, "within"),
                   *weight = pby_toml_at(place->table, "weight");
    mpq_set_ui(s->weight, 1, 1);
    if (within == NULL)
        return pby_plan_positive(s->weight, place, "weight");
    if (weight != NULL)
        return pby_plan_refuse(place, "within", within, "one of weight and within");
    if (s->kind == PBY_PLAN_MEAN || s->kind == PBY_PLAN_VARIANCE)
        return pby_plan_refuse(place, "within", within, "weight: a mean or a variance has no within");
    s->bounded = true;
    return pby_plan_positive(s->within, place, "within");
}

static pby_status read_width(const pby_release_plan *p, pby_plan_statistic *s, const pby_plan_place *place)
{
    const pby_toml *width = pby_toml_at(place->table, "width");
    static const char expected[] = "a multiple of the column's step, above 0";
    if (s->kind != PBY_PLAN_HISTOGRAM)
        return width == NULL ? PBY_OK : pby_plan_refuse(place, "width", width, "it with kind histogram");
    if (width == NULL)
        return pby_plan_refuse_key(place, "width", expected);
    const pby_plan_column *c = &p->column[s->column];
    PBY_TRY(read_point(&s->width, place, "width", c->step, expected));
    if (s->width <= 0)
        return pby_plan_refuse(place, "width", width, expected);
    const uint64_t buckets = (uint64_t)((c->hi - c->lo) / s->width) +
                             1; /* up to 2^42, beyond a 32-bit size_t */
    s->buckets = (size_t)buckets;
    return buckets * p->grouping[s->grouping].groups <= PBY_PLAN_CELLS_MAX
               ? PBY_OK
               : pby_plan_refuse(place, "width", width, "at most 2^20 buckets in all groups");
}

static bool read_share(pby_plan_share *out, const pby_toml *value)
{
    PBY_MPQ(x);
    const bool good = (value->kind == PBY_TOML_TEXT || value->kind == PBY_TOML_NUMBER) &&
                      pby_rational_parse(x, "", value->text, NULL) == PBY_OK && mpq_sgn(x) > 0 &&
                      mpq_cmp_ui(x, 1, 1) < 0 && mpz_cmp_ui(mpq_denref(x), SHARE_MAX) <= 0;
    if (good)
        *out = (pby_plan_share){(uint32_t)mpz_get_ui(mpq_numref(x)), (uint32_t)mpz_get_ui(mpq_denref(x))};
    return good;
}

/* q of a quantile: a list of shares, each once. */
static pby_status read_shares(const pby_release_plan *p, pby_plan_statistic *s, const pby_plan_place *place)
{
    static const char expected[] = "a list of 1 to 16 rationals above 0 and below 1, each once, with "
                                   "denominators of at most 1000000, such as [\"1/2\"]";
    const pby_toml *q = pby_toml_at(place->table, "q");
    if (s->kind != PBY_PLAN_QUANTILE)
        return q == NULL ? PBY_OK : pby_plan_refuse(place, "q", q, "it with kind quantile");
    if (q == NULL)
        return pby_plan_refuse_key(place, "q", expected);
    if (q->kind != PBY_TOML_LIST || q->count == 0 || q->count > PBY_PLAN_SHARES_MAX)
        return pby_plan_refuse(place, "q", q, expected);
    for (const pby_toml *x = q->first; x != NULL; x = x->next) {
        pby_plan_share *share = &s->share[s->shares++];
        if (!read_share(share, x))
            return pby_plan_refuse(place, "q", x, expected);
        for (const pby_plan_share *other = s->share; other < share; other++)
            if (other->over == share->over && other->under == share->under)
                return pby_plan_refuse(place, "q", x, expected);
    }
    const pby_plan_column *c = &p->column[s->column];
    return (uint64_t)(c->hi - c->lo + 1) * p->grouping[s->grouping].groups <= PBY_PLAN_POINTS_MAX
               ? PBY_OK
               : pby_plan_refuse_key(place, "of", "at most 2^23 points of the column's grid in all groups");
}

static pby_status read_best(const pby_release_plan *p, pby_plan_statistic *s, const pby_plan_place *place)
{
    const pby_toml *best = pby_toml_at(place->table, "best");
    const uint64_t groups = p->grouping[s->grouping].groups;
    if (s->kind != PBY_PLAN_TOP)
        return best == NULL ? PBY_OK : pby_plan_refuse(place, "best", best, "it with kind top");
    if (s->grouping == 0)
        return pby_plan_refuse_key(place, "group", "a grouping, the groups of which are chosen from");
    if (p->grouping[s->grouping].hidden)
        return pby_plan_refuse(place, "group", pby_toml_at(place->table, "group"),
                               "public groups: candidates must not come from the data");
    if (best == NULL)
        return pby_plan_refuse_key(place, "best", "how many groups, at most 1000");
    PBY_TRY(pby_plan_integer(&s->best, place, "best", 1, PBY_PLAN_BEST_MAX));
    return s->best <= groups ? PBY_OK : pby_plan_refuse(place, "best", best, "at most the number of groups");
}

static pby_status read_statistic(pby_release_plan *p, pby_plan_statistic *s, const pby_plan_place *place)
{
    static const char *const keys[] = {"name",   "kind",  "of", "group", "weight",
                                       "within", "width", "q",  "best",  NULL};
    PBY_TRY(pby_plan_keys(place, keys));
    PBY_TRY(read_own_name(p, s, place));
    char path[PBY_PLAN_PATH];
    snprintf(path, sizeof path, "statistics.%s", s->name);
    const pby_plan_place named = {place->reader, path, place->table};
    PBY_TRY(read_kind(s, &named));
    PBY_TRY(find_column(p, s, &named));
    PBY_TRY(find_grouping(p, s, &named));
    if (s->kind == PBY_PLAN_USERS && p->user == NULL)
        return pby_plan_refuse(&named, "kind", pby_toml_at(place->table, "kind"),
                               "unit.user: a row is the unit");
    PBY_TRY(read_weight(s, &named));
    PBY_TRY(read_width(p, s, &named));
    PBY_TRY(read_shares(p, s, &named));
    return read_best(p, s, &named);
}

static pby_status read_statistics(pby_release_plan *p, const pby_plan_reader *r)
{
    const pby_toml *list = pby_toml_at(r->root, "statistics");
    if (list == NULL || list->kind != PBY_TOML_LIST || !list->opened || list->count == 0 ||
        list->count > PBY_PLAN_STATISTICS_MAX)
        return pby_plan_refuse_missing(r, "statistics", "1 to 64 tables [[statistics]]");
    p->statistic = calloc(list->count, sizeof *p->statistic);
    if (p->statistic == NULL)
        return pby_no_memory(r->err);
    for (const pby_toml *table = list->first; table != NULL; table = table->next) {
        char path[PBY_PLAN_PATH];
        snprintf(path, sizeof path, "statistics %zu", p->statistics + 1);
        const pby_plan_place place = {r, path, table};
        pby_plan_statistic *s = &p->statistic[p->statistics++];
        mpq_inits(s->weight, s->within, (mpq_ptr)0);
        PBY_TRY(read_statistic(p, s, &place));
    }
    return PBY_OK;
}

/* ---- the whole ----------------------------------------------------------------------------------- */

static pby_status read_format(const pby_plan_reader *r)
{
    static const char *const keys[] = {"format",  "version",   "unit",       "budget", "horizon",
                                       "columns", "groupings", "statistics", NULL};
    static const char *const sealed[] = {"format",  "version",   "unit",       "budget", "horizon",
                                         "columns", "groupings", "statistics", "noise",  NULL};
    const pby_plan_place place = {r, NULL, r->root};
    const pby_toml *format = pby_toml_at(r->root, "format");
    uint64_t version = 0;
    if (format == NULL || format->kind != PBY_TOML_TEXT || strcmp(format->text, "probity-plan") != 0)
        return pby_plan_refuse_missing(r, "format", "format = \"probity-plan\"");
    PBY_TRY(pby_plan_keys(&place, r->sealed ? sealed : keys));
    PBY_TRY(pby_plan_integer(&version, &place, "version", 1, PBY_PLAN_VERSION));
    return version == PBY_PLAN_VERSION ? PBY_OK : pby_plan_refuse_missing(r, "version", "version = 1");
}

static pby_status read_all(pby_release_plan *p, const pby_plan_reader *r)
{
    uint64_t rows = 0;
    PBY_MPQ(expect);
    PBY_TRY(pby_plan_copy(&p->name, r->name, r->err));
    PBY_TRY(read_format(r));
    PBY_TRY(read_unit(p, r, &rows, expect));
    PBY_TRY(read_budget(p, r));
    PBY_TRY(read_horizon(p, r));
    PBY_TRY(read_columns(p, r));
    p->rows = rows;
    PBY_TRY(read_groupings(p, r, rows, expect));
    return read_statistics(p, r);
}

pby_status pby_plan_of(pby_release_plan **out, const char *name, const char *folder, const pby_toml *root,
                       bool sealed, pby_error *err)
{
    const pby_plan_reader r = {name, folder, root, sealed, err};
    pby_release_plan *p = calloc(1, sizeof *p);
    *out = NULL;
    if (p == NULL)
        return pby_no_memory(err);
    mpq_inits(p->epsilon, p->delta, p->bound, (mpq_ptr)0);
    const pby_status status = read_all(p, &r);
    if (status == PBY_OK)
        *out = p;
    else
        pby_plan_free(p);
    return status;
}

pby_status pby_plan_parse(pby_release_plan **out, const char *name, const char *folder, const char *text,
                          size_t size, pby_error *err)
{
    pby_toml *root;
    *out = NULL;
    PBY_TRY(pby_toml_read(&root, name, text, size, err));
    const pby_status status = pby_plan_of(out, name, folder, root, false, err);
    pby_toml_free(root);
    return status;
}

pby_status pby_plan_read(pby_release_plan **out, const char *path, pby_error *err)
{
    char *text, *folder = strdup(path);
    size_t size;
    *out = NULL;
    if (folder == NULL)
        return pby_no_memory(err);
    char *slash = strrchr(folder, '/');
    strcpy(slash == NULL ? folder : slash + 1, "");
    pby_status status = pby_file_read(&text, &size, path, PBY_TOML_SIZE_MAX, err);
    if (status == PBY_OK) {
        status = pby_plan_parse(out, pby_path_text(path), folder, text, size, err);
        free(text);
    }
    free(folder);
    return status;
}

static void free_grouping(pby_plan_grouping *g)
{
    for (size_t i = 0; i < g->by; i++)
        free(g->column[i]);
    for (size_t i = 0; i < g->by; i++)
        pby_plan_buckets_free(&g->bucket[i]);
    for (size_t i = 0; g->group != NULL && i < g->groups * g->by; i++)
        free(g->group[i]);
    free(g->group);
    free(g->name);
    mpq_clear(g->expect);
}

void pby_plan_free(pby_release_plan *p)
{
    if (p == NULL)
        return;
    for (size_t i = 0; i < p->columns; i++) {
        free(p->column[i].name);
        mpq_clear(p->column[i].step);
    }
    for (size_t i = 0; i < p->groupings; i++)
        free_grouping(&p->grouping[i]);
    for (size_t i = 0; i < p->statistics; i++) {
        free(p->statistic[i].name);
        mpq_clears(p->statistic[i].weight, p->statistic[i].within, (mpq_ptr)0);
    }
    free(p->column);
    free(p->grouping);
    free(p->statistic);
    free(p->user);
    free(p->name);
    mpq_clears(p->epsilon, p->delta, p->bound, (mpq_ptr)0);
    free(p);
}
