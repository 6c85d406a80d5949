/* SPDX-License-Identifier: MIT */
#include "plan/plan_advice.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "number/scoped.h"
#include "number/text.h"

/* The best so far, in order. */
struct list {
    pby_plan_advice *advice;
    size_t count;
    pby_release_plan *plan;
    double cost; /* of the plan as it is */
};

static void insert(struct list *l, const pby_plan_advice *x)
{
    size_t at = l->count;
    while (at > 0 && l->advice[at - 1].errors > x->errors)
        at--;
    if (at == PBY_PLAN_ADVICE_MAX)
        return;
    if (l->count < PBY_PLAN_ADVICE_MAX)
        l->count++;
    memmove(l->advice + at + 1, l->advice + at, (l->count - at - 1) * sizeof *x);
    l->advice[at] = *x;
}

/* The errors of the plan as it now is, against those that were chosen. A change that helps by less than a
 * hundredth is not told, nor one that no noise is found for. */
static pby_status ask(struct list *l, pby_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static pby_status ask(struct list *l, pby_error *err, const char *format, ...)
{
    pby_plan_advice x;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(x.change, sizeof x.change, format, arguments);
    va_end(arguments);
    double cost = 0;
    const pby_status status = pby_plan_estimate(&cost, l->plan, err);
    x.errors = status == PBY_OK && l->cost > 0 && cost > 0 ? cost / l->cost : 1;
    if (x.errors < 0.99)
        insert(l, &x);
    return status == PBY_NO ? PBY_OK : status;
}

static pby_status ask_of_grouping(struct list *l, pby_plan_grouping *g, pby_error *err)
{
    const pby_plan_grouping was = *g;
    pby_status status = PBY_OK;
    if (g->m > 1 && g->k > 1) {
        g->m = 1;
        status = ask(l, err, "groupings.%.60s.rows_per_group = 1", g->name);
        g->m = was.m;
    }
    if (g->k > 1 && g->m < g->rows && status == PBY_OK) {
        g->k--;
        status = ask(l, err, "groupings.%.60s.groups_per_user = %" PRIu64, g->name, g->k);
        g->k = was.k;
    }
    if (g->k > 1 && g->m > 2 && g->m < g->rows && g->k * g->m > g->rows && status == PBY_OK) {
        g->m = g->rows / g->k > 0 ? g->rows / g->k : 1;
        status = ask(l, err, "groupings.%.60s.rows_per_group = %" PRIu64, g->name, g->m);
        g->m = was.m;
    }
    return status;
}

/* C halved, of all groupings and the whole table; where the plan has none, the most rows of a grouping. */
static pby_status ask_of_rows(struct list *l, pby_error *err)
{
    pby_release_plan *plan = l->plan;
    const uint64_t given = plan->rows;
    uint64_t rows = given, was[PBY_PLAN_GROUPINGS_MAX][3];
    for (size_t i = 0; i < plan->groupings && given == 0; i++)
        rows = plan->grouping[i].rows > rows ? plan->grouping[i].rows : rows;
    if (plan->user == NULL || rows < 2)
        return PBY_OK;
    for (size_t i = 0; i < plan->groupings; i++) {
        pby_plan_grouping *g = &plan->grouping[i];
        was[i][0] = g->rows, was[i][1] = g->k, was[i][2] = g->m;
        if (g->rows > rows / 2) {
            g->rows = rows / 2;
            g->k = g->k > g->rows ? g->rows : g->k;
            g->m = g->m > g->rows ? g->rows : g->m;
        }
    }
    plan->rows = rows / 2;
    const pby_status status = ask(l, err, "unit.rows = %" PRIu64, rows / 2);
    plan->rows = given;
    for (size_t i = 0; i < plan->groupings; i++) {
        pby_plan_grouping *g = &plan->grouping[i];
        g->rows = was[i][0], g->k = was[i][1], g->m = was[i][2];
    }
    return status;
}

/* Buckets of a histogram twice as wide; a mean in the place of a variance. */
static pby_status ask_of_statistic(struct list *l, pby_plan_statistic *s, pby_error *err)
{
    pby_status status = PBY_OK;
    if (s->kind == PBY_PLAN_VARIANCE) {
        s->kind = PBY_PLAN_MEAN;
        status = ask(l, err, "statistics.%.60s.kind = \"mean\"", s->name);
        s->kind = PBY_PLAN_VARIANCE;
    }
    if (s->kind == PBY_PLAN_HISTOGRAM && s->buckets > 2) {
        const pby_plan_statistic was = *s;
        char text[PBY_DECIMAL_SIZE];
        PBY_MPQ(width);
        s->width *= 2;
        const pby_plan_column *c = &l->plan->column[s->column];
        s->buckets = (size_t)((c->hi - c->lo) / s->width) + 1;
        mpq_set_ui(width, (unsigned long)s->width, 1);
        mpq_mul(width, width, c->step);
        pby_mpq_text(text, width);
        status = ask(l, err, "statistics.%.60s.width = %.40s", s->name, text);
        *s = was;
    }
    return status;
}

pby_status pby_plan_advise(pby_plan_advice advice[PBY_PLAN_ADVICE_MAX], size_t *count, pby_release_plan *plan,
                           pby_error *err)
{
    struct list l = {advice, 0, plan, 0};
    const uint64_t times = plan->times;
    mpq_ptr budget = pby_plan_budget(plan);
    pby_status status = pby_plan_estimate(&l.cost, plan, err);
    if (times > 1 && status == PBY_OK) {
        plan->times = times / 2;
        status = ask(&l, err, "horizon.times = %" PRIu64, plan->times);
        plan->times = times;
    }
    if (status == PBY_OK) {
        mpq_mul_2exp(budget, budget, 1);
        status = ask(&l, err, "budget.%s doubled", pby_plan_budget_name(plan));
        mpq_div_2exp(budget, budget, 1);
    }
    for (size_t i = 1; i < plan->groupings && status == PBY_OK; i++)
        status = ask_of_grouping(&l, &plan->grouping[i], err);
    if (status == PBY_OK)
        status = ask_of_rows(&l, err);
    for (size_t i = 0; i < plan->statistics && status == PBY_OK; i++)
        status = ask_of_statistic(&l, &plan->statistic[i], err);
    *count = l.count;
    return status;
}
