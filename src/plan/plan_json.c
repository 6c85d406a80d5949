/* SPDX-License-Identifier: MIT */
#include "plan/plan_json.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "number/integer.h"
#include "number/scoped.h"
#include "number/text.h"
#include "plan/toml_json.h"
#include "probity/rational.h"

/* ---- writing ------------------------------------------------------------------------------------- */

static json_t *rational(mpq_srcptr q)
{
    char *text = mpq_get_str(NULL, 10, q);
    json_t *out = json_string(text);
    free(text);
    return out;
}

static json_t *whole(int64_t steps, mpq_srcptr step)
{
    PBY_MPQ(q);
    pby_integer_set(mpq_numref(q), (uint64_t)(steps < 0 ? -steps : steps));
    if (steps < 0)
        mpq_neg(q, q);
    mpq_mul(q, q, step);
    return rational(q);
}

static json_t *unit_json(const pby_release_plan *p)
{
    const pby_plan_grouping *table = &p->grouping[0];
    json_t *out = json_pack("{s:s, s:o}", "neighbours", pby_neighbours_text(p->relation), "expect",
                            rational(table->expect));
    if (p->user != NULL && (out == NULL || json_object_set_new(out, "user", json_string(p->user)) != 0))
        goto none;
    if (p->user != NULL && p->rows > 0 &&
        (out == NULL || json_object_set_new(out, "rows", json_integer((json_int_t)p->rows)) != 0))
        goto none;
    return out;
none:
    json_decref(out);
    return NULL;
}

static json_t *columns_json(const pby_release_plan *p)
{
    json_t *out = json_object();
    for (size_t i = 0; i < p->columns && out != NULL; i++) {
        const pby_plan_column *c = &p->column[i];
        json_t *column = json_pack("{s:o, s:o, s:o, s:o}", "low", whole(c->lo, c->step), "high",
                                   whole(c->hi, c->step), "step", rational(c->step), "missing",
                                   c->fills ? whole(c->missing, c->step) : json_string("drop"));
        if (column == NULL || json_object_set_new(out, c->name, column) != 0) {
            json_decref(out);
            out = NULL;
        }
    }
    return out;
}

static json_t *grouping_json(const pby_release_plan *p, const pby_plan_grouping *g)
{
    json_t *by = json_array();
    for (size_t i = 0; i < g->by; i++)
        by = pby_json_append(by, json_string(g->bucket[i].text != NULL ? g->bucket[i].text : g->column[i]));
    json_t *groups = g->hidden ? json_true()
                               : json_pack("{s:I, s:s}", "count", (json_int_t)g->groups, "sha256", g->digest);
    const char *key = g->hidden ? "hidden" : "groups";
    if (p->user == NULL)
        return json_pack("{s:o, s:o, s:o}", "by", by, key, groups, "expect", rational(g->expect));
    return json_pack("{s:o, s:o, s:o, s:I, s:I}", "by", by, key, groups, "expect", rational(g->expect),
                     "groups_per_user", (json_int_t)g->k, "rows_per_group", (json_int_t)g->m);
}

static json_t *groupings_json(const pby_release_plan *p)
{
    json_t *out = json_object();
    for (size_t i = 1; i < p->groupings && out != NULL; i++) {
        json_t *grouping = grouping_json(p, &p->grouping[i]);
        if (grouping == NULL || json_object_set_new(out, p->grouping[i].name, grouping) != 0) {
            json_decref(out);
            out = NULL;
        }
    }
    return out;
}

static json_t *shares_json(const pby_plan_statistic *s)
{
    json_t *out = json_array();
    PBY_MPQ(x);
    for (size_t i = 0; i < s->shares; i++) {
        mpq_set_ui(x, s->share[i].over, s->share[i].under);
        out = pby_json_append(out, rational(x));
    }
    return out;
}

static json_t *statistic_json(const pby_release_plan *p, const pby_plan_statistic *s)
{
    json_t *out = json_pack("{s:s, s:s, s:o}", "name", s->name, "kind", pby_plan_kinds[s->kind],
                            s->bounded ? "within" : "weight", rational(s->bounded ? s->within : s->weight));
    bool good = out != NULL;
    if (good && pby_plan_has_column(s->kind))
        good = json_object_set_new(out, "of", json_string(p->column[s->column].name)) == 0;
    if (good && s->grouping > 0)
        good = json_object_set_new(out, "group", json_string(p->grouping[s->grouping].name)) == 0;
    if (good && s->kind == PBY_PLAN_HISTOGRAM)
        good = json_object_set_new(out, "width", whole(s->width, p->column[s->column].step)) == 0;
    if (good && s->kind == PBY_PLAN_QUANTILE)
        good = json_object_set_new(out, "q", shares_json(s)) == 0;
    if (good && s->kind == PBY_PLAN_TOP)
        good = json_object_set_new(out, "best", json_integer((json_int_t)s->best)) == 0;
    if (!good)
        json_decref(out);
    return good ? out : NULL;
}

static json_t *noise_json(const pby_plan_quantities *q)
{
    json_t *out = json_array();
    for (size_t i = 0; i < q->count; i++) {
        const pby_plan_quantity *x = &q->quantity[i];
        json_t *noise = json_pack("{s:s, s:s, s:o}", "part", pby_plan_parts[x->part], "family",
                                  pby_plan_families[x->family],
                                  x->family == PBY_PLAN_DGAUSS ? "sigma2" : "eps", rational(x->noise));
        if (x->gate && noise != NULL &&
            json_object_set_new(noise, "T", json_integer((json_int_t)x->threshold)) != 0) {
            json_decref(noise);
            noise = NULL;
        }
        out = pby_json_append(out, noise);
    }
    return out;
}

json_t *pby_plan_json(const pby_release_plan *p, const pby_plan_quantities *q)
{
    json_t *statistics = json_array();
    for (size_t i = 0; i < p->statistics; i++)
        statistics = pby_json_append(statistics, statistic_json(p, &p->statistic[i]));
    json_t *budget =
        p->budget != PBY_ASK_DELTA
            ? json_pack("{s:o}", pby_plan_budget_name(p), rational(p->bound))
            : json_pack("{s:o, s:o}", "epsilon", rational(p->epsilon), "delta", rational(p->delta));
    return json_pack("{s:s, s:i, s:o, s:o, s:{s:I}, s:o, s:o, s:o, s:o}", "format", "probity-plan", "version",
                     PBY_PLAN_VERSION, "unit", unit_json(p), "budget", budget, "horizon", "times",
                     (json_int_t)p->times, "columns", columns_json(p), "groupings", groupings_json(p),
                     "statistics", statistics, "noise", noise_json(q));
}

/* ---- reading ------------------------------------------------------------------------------------- */

static pby_status read_noise(pby_plan_quantity *q, const json_t *noise, pby_error *err)
{
    const char *family = pby_json_string(noise, "family");
    if (!q->fixed)
        q->family = strcmp(family, "dgauss") == 0 ? PBY_PLAN_DGAUSS : PBY_PLAN_GEOMETRIC;
    const char *text = pby_json_string(noise, q->family == PBY_PLAN_DGAUSS ? "sigma2" : "eps");
    PBY_TRY(pby_rational_parse(q->noise, "plan: noise", text, err));
    if (q->gate) {
        const json_t *least = json_object_get(noise, "T");
        if (!json_is_integer(least) || json_integer_value(least) < 1)
            return pby_fail(err, PBY_BAD, "plan: noise: expected T, an integer from 1 on");
        q->threshold = json_integer_value(least);
    }
    return mpq_sgn(q->noise) > 0 ? PBY_OK : pby_refuse(err, "plan: noise", text, "a rational above 0");
}

static pby_status read_all_noise(pby_plan_quantities *q, const json_t *list, pby_error *err)
{
    if (!json_is_array(list) || json_array_size(list) != q->count)
        return pby_fail(err, PBY_BAD, "plan: noise: expected one of each quantity");
    for (size_t i = 0; i < q->count; i++)
        PBY_TRY(read_noise(&q->quantity[i], json_array_get(list, i), err));
    return PBY_OK;
}

/* Everything has one spelling. */
static pby_status compare(const pby_release_plan *plan, const pby_plan_quantities *q, const json_t *json,
                          pby_error *err)
{
    json_t *again = pby_plan_json(plan, q);
    if (again == NULL)
        return pby_no_memory(err);
    const bool same = json_equal(again, json) != 0;
    json_decref(again);
    return same ? PBY_OK : pby_fail(err, PBY_BAD, "plan: expected its canonical form");
}

pby_status pby_plan_of_json(pby_release_plan **plan, pby_plan_quantities *q, const json_t *json,
                            pby_error *err)
{
    pby_toml *root;
    *plan = NULL;
    *q = (pby_plan_quantities){.count = 0};
    PBY_TRY(pby_toml_of_json(&root, json, "plan", err));
    pby_status status = pby_plan_of(plan, "plan", NULL, root, true, err);
    pby_toml_free(root);
    if (status != PBY_OK)
        return status;
    status = pby_plan_quantities_of(q, *plan, err);
    if (status == PBY_OK)
        status = read_all_noise(q, json_object_get(json, "noise"), err);
    if (status == PBY_OK)
        status = compare(*plan, q, json, err);
    if (status != PBY_OK) {
        pby_plan_quantities_clear(q);
        pby_plan_free(*plan);
        *plan = NULL;
    }
    return status;
}

pby_status pby_plan_digest(pby_digest *out, const json_t *json, pby_error *err)
{
    char *text = json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENSURE_ASCII);
    if (text == NULL)
        return pby_no_memory(err);
    pby_digest_bytes(out, text, strlen(text));
    free(text);
    return PBY_OK;
}
