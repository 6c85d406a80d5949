/* SPDX-License-Identifier: MIT */
#include "plan/plan_curve.h"

#include <stdlib.h>

#include "plan/plan_error.h"

enum { OWN = PBY_PLAN_CURVE_POINTS / 2 }; /* the point of the plan's own budget */

static pby_status begin(pby_plan_curve *out, pby_release_plan *plan, pby_error *err)
{
    /* Steps of about the root of 2, in few digits. */
    static const unsigned factor[PBY_PLAN_CURVE_POINTS][2] = {{1, 4}, {7, 20}, {1, 2},  {7, 10}, {1, 1},
                                                              {7, 5}, {2, 1},  {14, 5}, {4, 1}};
    const size_t n = plan->statistics * PBY_PLAN_CURVE_POINTS;
    *out = (pby_plan_curve){.statistics = 0};
    for (size_t i = 0; i < PBY_PLAN_CURVE_POINTS; i++) {
        mpq_init(out->budget[i]);
        mpq_set_ui(out->budget[i], factor[i][0], factor[i][1]);
        mpq_mul(out->budget[i], out->budget[i], pby_plan_budget(plan));
    }
    out->error = calloc(n, sizeof *out->error);
    out->known = calloc(n, sizeof *out->known);
    if (out->error == NULL || out->known == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < n; i++)
        mpq_init(out->error[i]);
    out->statistics = plan->statistics;
    return PBY_OK;
}

static pby_status set_point(pby_plan_curve *out, size_t point, const pby_release_plan *plan,
                            const pby_plan_choice *choice, pby_error *err)
{
    pby_plan_promise p;
    pby_status status = PBY_OK;
    pby_plan_promise_init(&p);
    for (size_t i = 0; i < plan->statistics && status == PBY_OK; i++) {
        const size_t at = i * PBY_PLAN_CURVE_POINTS + point;
        p.known = false;
        status = pby_plan_promise_of(&p, plan, &choice->quantities, i, err);
        out->known[at] = status == PBY_OK && p.known;
        if (out->known[at])
            mpq_add(out->error[at], p.error, p.rounding);
    }
    pby_plan_promise_clear(&p);
    return status;
}

/* The noise of another budget; where none is found the point stays unknown. */
static pby_status choose_point(pby_plan_curve *out, size_t point, pby_release_plan *plan, pby_error *err)
{
    pby_plan_choice choice;
    pby_status status = pby_plan_choose(&choice, plan, err);
    if (status == PBY_OK)
        status = set_point(out, point, plan, &choice, err);
    pby_plan_choice_clear(&choice);
    return status == PBY_NO ? PBY_OK : status;
}

pby_status pby_plan_curve_of(pby_plan_curve *out, pby_release_plan *plan, const pby_plan_choice *choice,
                             pby_error *err)
{
    mpq_ptr budget = pby_plan_budget(plan);
    pby_status status = begin(out, plan, err);
    if (status == PBY_OK)
        status = set_point(out, OWN, plan, choice, err);
    for (size_t i = 0; i < PBY_PLAN_CURVE_POINTS && status == PBY_OK; i++)
        if (i != OWN) {
            mpq_set(budget, out->budget[i]);
            status = choose_point(out, i, plan, err);
        }
    mpq_set(budget, out->budget[OWN]);
    return status;
}

void pby_plan_curve_clear(pby_plan_curve *c)
{
    for (size_t i = 0; i < c->statistics * PBY_PLAN_CURVE_POINTS; i++)
        mpq_clear(c->error[i]);
    for (size_t i = 0; i < PBY_PLAN_CURVE_POINTS; i++)
        mpq_clear(c->budget[i]);
    free(c->error);
    free(c->known);
}
