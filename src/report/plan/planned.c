/* SPDX-License-Identifier: MIT */
#include "report/plan/planned.h"

#include <stdlib.h>

#include "base/json.h"
#include "certificate/certified_plan.h"
#include "certificate/ledger/plan_ledger.h"
#include "number/number_json.h"
#include "plan/plan_curve.h"
#include "plan/plan_json.h"
#include "release/plan_release.h"
#include "report/plan/report_plan.h"

/* Takes over the plan, which is NULL where it could not be read. */
static pby_status make(pby_planned **out, pby_release_plan *plan, pby_status status, pby_error *err)
{
    if (status != PBY_OK)
        return status;
    pby_planned *p = calloc(1, sizeof *p);
    status = p == NULL ? pby_no_memory(err) : pby_plan_choose(&p->choice, plan, err);
    if (status == PBY_OK) {
        p->plan = plan;
        *out = p;
        return PBY_OK;
    }
    if (p != NULL)
        pby_plan_choice_clear(&p->choice);
    free(p);
    pby_plan_free(plan);
    return status;
}

pby_status pby_planned_read(pby_planned **out, const char *path, pby_error *err)
{
    pby_release_plan *plan = NULL;
    *out = NULL;
    const pby_status status = pby_plan_read(&plan, path, err);
    return make(out, plan, status, err);
}

pby_status pby_planned_parse(pby_planned **out, const char *name, const char *folder, const char *text,
                             size_t size, pby_error *err)
{
    pby_release_plan *plan = NULL;
    *out = NULL;
    const pby_status status = pby_plan_parse(&plan, name, folder, text, size, err);
    return make(out, plan, status, err);
}

void pby_planned_free(pby_planned *p)
{
    if (p == NULL)
        return;
    pby_plan_choice_clear(&p->choice);
    pby_plan_free(p->plan);
    free(p);
}

pby_status pby_planned_report(char **text, pby_planned *p, pby_report_form form, pby_error *err)
{
    return pby_report_plan(text, p->plan, &p->choice, form, err);
}

/* ---- as JSON ------------------------------------------------------------------------------------- */

static json_t *curve_json(const pby_plan_curve *c, size_t statistic, const char *name)
{
    json_t *errors = json_array();
    for (size_t i = 0; i < PBY_PLAN_CURVE_POINTS; i++) {
        const size_t at = statistic * PBY_PLAN_CURVE_POINTS + i;
        errors = pby_json_append(errors, c->known[at] ? pby_exact_json(c->error[at]) : json_null());
    }
    return json_pack("{s:s, s:o}", "name", name, "errors", errors);
}

static json_t *curves_json(const pby_plan_curve *c, const pby_release_plan *plan)
{
    json_t *budgets = json_array(), *statistics = json_array();
    for (size_t i = 0; i < PBY_PLAN_CURVE_POINTS; i++)
        budgets = pby_json_append(budgets, pby_exact_json(c->budget[i]));
    for (size_t i = 0; i < plan->statistics; i++)
        statistics = pby_json_append(statistics, curve_json(c, i, plan->statistic[i].name));
    return json_pack("{s:o, s:o}", pby_plan_budget_name(plan), budgets, "statistics", statistics);
}

/* Takes over the JSON, which is NULL when there was no memory. */
static pby_status write_json(char **text, json_t *json, pby_error *err)
{
    *text = pby_json_text(json, JSON_SORT_KEYS);
    return *text == NULL ? pby_no_memory(err) : PBY_OK;
}

pby_status pby_planned_curves(char **text, pby_planned *p, pby_error *err)
{
    pby_plan_curve c;
    *text = NULL;
    pby_status status = pby_plan_curve_of(&c, p->plan, &p->choice, err);
    if (status == PBY_OK)
        status = write_json(text, curves_json(&c, p->plan), err);
    pby_plan_curve_clear(&c);
    return status;
}

pby_status pby_planned_json(char **text, const pby_planned *p, pby_error *err)
{
    return write_json(text, pby_plan_json(p->plan, &p->choice.quantities), err);
}

/* ---- what permits a release, and releases --------------------------------------------------------- */

pby_status pby_planned_certify(char **certificate, const pby_planned *p, pby_error *err)
{
    return pby_certify_plan(certificate, p->plan, &p->choice, err);
}

pby_status pby_planned_ledger(const char *path, const pby_planned *p, const char *parts, pby_error *err)
{
    const pby_ledger_terms more = {.parts = parts};
    return pby_ledger_create_plan(path, p->plan, &more, err);
}

pby_status pby_planned_release(const pby_planned *p, const pby_plan_release *release, pby_error *err)
{
    static const pby_plan_arguments names = {"folder", "ledger", "certificate"};
    return pby_plan_run(p->plan, &p->choice, release, &names, err);
}
