/* SPDX-License-Identifier: MIT */
#include "report/plan/report_plan.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/json.h"
#include "number/number_json.h"
#include "number/scoped.h"
#include "number/text.h"
#include "plan/plan_advice.h"
#include "plan/plan_error.h"
#include "report/sheet.h"

enum { DIGITS = 4, ERROR_DIGITS = 3 };

void pby_plan_tell_error(char text[PBY_PLAN_WORDS], mpq_srcptr x)
{
    PBY_MPFR(128, value);
    char decimal[PBY_DECIMAL_SIZE];
    mpfr_set_q(value, x, MPFR_RNDU);
    const bool whole = mpz_cmp_ui(mpq_denref(x), 1) == 0 && mpz_sizeinbase(mpq_numref(x), 10) <= 6;
    pby_decimal(decimal, value, whole ? 6 : ERROR_DIGITS, false);
    snprintf(text, PBY_PLAN_WORDS, "%.100s", decimal);
}

static void print_kind(char words[PBY_PLAN_WORDS], const pby_release_plan *plan, const pby_plan_statistic *s)
{
    const pby_plan_grouping *g = &plan->grouping[s->grouping];
    const bool column = pby_plan_has_column(s->kind);
    snprintf(words, PBY_PLAN_WORDS, "%s%s%.30s%s%.30s", pby_plan_kinds[s->kind], column ? " of " : "",
             column ? plan->column[s->column].name : "", g->name == NULL ? "" : " by ",
             g->name == NULL ? "" : g->name);
}

/* The share of the budget of a statistic's quantities; those that several need count for each. */
static unsigned share_of(const pby_plan_choice *c, size_t statistic)
{
    unsigned share = 0;
    for (size_t i = 0; i < c->quantities.needs[statistic].count; i++)
        share += c->share[c->quantities.needs[statistic].at[i]];
    return share;
}

/* ---- statistics ---------------------------------------------------------------------------------- */

/* The error relative to the expected rows; false if it is none of rows, or if these are not given. */
static bool relative_error(mpq_t out, const pby_release_plan *plan, const pby_plan_statistic *s,
                           const pby_plan_promise *p)
{
    const pby_plan_grouping *g = &plan->grouping[s->grouping];
    const bool of_rows = !pby_plan_has_column(s->kind) || s->kind == PBY_PLAN_QUANTILE;
    if (!p->known || !of_rows || !g->expected)
        return false;
    mpq_div(out, p->error, g->expect);
    return true;
}

/* The error with its rounding; relative to the expected rows where these scale it. */
static void print_error(pby_plan_told *out, const pby_release_plan *plan, const pby_plan_statistic *s,
                        const pby_plan_promise *p)
{
    PBY_MPQ(all, part);
    snprintf(out->relative, sizeof out->relative, "%s", "");
    if (!p->known) {
        snprintf(out->error, sizeof out->error, "unknown");
        return;
    }
    mpq_add(all, p->error, p->rounding);
    pby_plan_tell_error(out->error, all);
    if (relative_error(part, plan, s, p))
        snprintf(out->relative, sizeof out->relative, "%.1f %%", 100 * mpq_get_d(part));
}

void pby_plan_tell(pby_plan_told *out, const pby_release_plan *plan, const pby_plan_choice *c, size_t i,
                   const pby_plan_promise *p)
{
    const pby_plan_statistic *s = &plan->statistic[i];
    const pby_plan_grouping *g = &plan->grouping[s->grouping];
    print_kind(out->what, plan, s);
    print_error(out, plan, s, p);
    snprintf(out->groups, sizeof out->groups, g->hidden ? "hidden" : "%zu", g->groups);
    snprintf(out->budget, sizeof out->budget, "%u.%u %%", share_of(c, i) / 10, share_of(c, i) % 10);
}

static json_t *thousandths(unsigned n)
{
    PBY_MPQ(x);
    mpq_set_ui(x, n, 1000);
    mpq_canonicalize(x);
    return pby_exact_json(x);
}

static json_t *statistic_json(const pby_release_plan *plan, const pby_plan_choice *c, size_t i,
                              const pby_plan_promise *p)
{
    const pby_plan_statistic *s = &plan->statistic[i];
    const pby_plan_grouping *g = &plan->grouping[s->grouping];
    json_t *quantities = json_array();
    for (size_t k = 0; k < c->quantities.needs[i].count; k++) {
        const pby_plan_quantity *q = &c->quantities.quantity[c->quantities.needs[i].at[k]];
        json_t *moves = json_array();
        for (unsigned m = 0; m < q->moves.parts; m++)
            moves = pby_json_append(moves, json_pack("{s:I, s:I}", "cells", (json_int_t)q->moves.count[m],
                                                     "by", (json_int_t)q->moves.size[m]));
        quantities = pby_json_append(
            quantities,
            json_pack("{s:s, s:s, s:o, s:o, s:b, s:o}", "part", pby_plan_parts[q->part], "family",
                      pby_plan_families[q->family], q->family == PBY_PLAN_DGAUSS ? "sigma2" : "eps",
                      pby_exact_json(q->noise), "moves", moves, "reached", q->moves.reached, "share",
                      thousandths(c->share[c->quantities.needs[i].at[k]])));
    }
    json_t *out = json_pack("{s:s, s:s, s:s?, s:s?, s:I, s:o, s:o}", "name", s->name, "kind",
                            pby_plan_kinds[s->kind], "of",
                            pby_plan_has_column(s->kind) ? plan->column[s->column].name : NULL, "group",
                            g->name, "groups", (json_int_t)(g->hidden ? 0 : g->groups), "share",
                            thousandths(share_of(c, i)), "quantities", quantities);
    if (out != NULL && g->hidden && json_object_set_new(out, "hidden", json_true()) != 0) {
        json_decref(out);
        return NULL;
    }
    if (out != NULL && p->known &&
        (json_object_set_new(out, "error", pby_exact_json(p->error)) != 0 ||
         json_object_set_new(out, "rounding", pby_exact_json(p->rounding)) != 0 ||
         json_object_set_new(out, "cell", pby_exact_json(p->cell)) != 0)) {
        json_decref(out);
        return NULL;
    }
    PBY_MPQ(relative);
    if (out != NULL && relative_error(relative, plan, s, p) &&
        json_object_set_new(out, "relative", pby_exact_json(relative)) != 0) {
        json_decref(out);
        return NULL;
    }
    return out;
}

static void print_statistic(pby_sheet *s, const pby_release_plan *plan, const pby_plan_choice *c, size_t i,
                            const pby_plan_promise *p)
{
    pby_plan_told told;
    pby_plan_tell(&told, plan, c, i, p);
    if (s->lines != NULL)
        fprintf(s->lines, "%-20s  %-28s  %6s  %14s  %10s  %7s\n", plan->statistic[i].name, told.what,
                told.groups, told.error, told.relative, told.budget);
}

static pby_status print_statistics(pby_sheet *s, const pby_release_plan *plan, const pby_plan_choice *c,
                                   bool *unknown, pby_error *err)
{
    json_t *list = json_array();
    pby_status status = PBY_OK;
    if (s->lines != NULL)
        fprintf(s->lines, "%-20s  %-28s  %6s  %14s  %10s  %7s\n", "statistic", "of what", "groups",
                "off by at most", "relative", "budget");
    for (size_t i = 0; i < plan->statistics && status == PBY_OK; i++) {
        pby_plan_promise p;
        pby_plan_promise_init(&p);
        status = pby_plan_promise_of(&p, plan, &c->quantities, i, err);
        if (status == PBY_OK) {
            *unknown = *unknown || !p.known;
            print_statistic(s, plan, c, i, &p);
            if (s->object != NULL)
                list = pby_json_append(list, statistic_json(plan, c, i, &p));
        }
        pby_plan_promise_clear(&p);
    }
    if (s->object != NULL)
        pby_sheet_member(s, "statistics", list);
    else
        json_decref(list);
    return status;
}

/* ---- the whole ----------------------------------------------------------------------------------- */

static void print_budget(pby_sheet *s, const pby_release_plan *plan, const pby_plan_choice *c)
{
    char epsilon[PBY_DECIMAL_SIZE], delta[PBY_DECIMAL_SIZE];
    pby_sheet_text(s, "plan", "plan", plan->name);
    pby_sheet_line(s, "unit", plan->user == NULL ? "one record" : "all rows of one user, whom %s tells",
                   plan->user);
    pby_sheet_member(s, "user", plan->user == NULL ? json_null() : json_string(plan->user));
    pby_sheet_text(s, "neighbours", "neighbours", pby_neighbours_text(plan->relation));
    pby_sheet_number(s, "releases", "times", plan->times);
    if (plan->budget != PBY_ASK_DELTA) {
        const bool rho = plan->budget == PBY_ASK_RHO;
        pby_sheet_exact(s, rho ? "budget rho" : "budget mu", rho ? "budget_rho" : "budget_mu", plan->bound);
        pby_sheet_enclosure(s, pby_plan_budget_name(plan), pby_plan_budget_name(plan), &c->loss, DIGITS,
                            "of all releases together");
    } else {
        pby_mpq_text(epsilon, plan->epsilon);
        pby_mpq_text(delta, plan->delta);
        pby_sheet_line(s, "budget", "epsilon %s, delta %s", epsilon, delta);
        pby_sheet_member(s, "epsilon", pby_exact_json(plan->epsilon));
        pby_sheet_member(s, "budget_delta", pby_exact_json(plan->delta));
        pby_sheet_enclosure(s, "delta", "delta", &c->loss, DIGITS, "of all releases together, certified");
    }
    pby_sheet_text(s, "mechanisms", "spec", pby_spec_text(c->all));
    pby_sheet_break(s);
}

/* The keys of expected rows that the plan lacks, as a JSON list and in a sentence: 1 stands for each, so that
 * the statistics of that grouping look as if their errors were the largest and get most of the budget. */
static void print_expect(pby_sheet *s, const pby_release_plan *plan)
{
    json_t *list = json_array();
    for (size_t i = 0; i < plan->groupings; i++) {
        const pby_plan_grouping *g = &plan->grouping[i];
        bool used = false;
        for (size_t k = 0; k < plan->statistics; k++)
            used = used || plan->statistic[k].grouping == i;
        if (used && !g->expected)
            list = pby_json_append(list, i == 0 ? json_string("unit.expect")
                                                : json_sprintf("groupings.%s.expect", g->name));
    }
    if (s->lines != NULL && json_array_size(list) > 0 && plan->statistics > 1) {
        fputc('\n', s->lines);
        for (size_t i = 0; i < json_array_size(list); i++)
            fprintf(s->lines, "%s%s", i == 0 ? "" : ", ", json_string_value(json_array_get(list, i)));
        fprintf(s->lines,
                ": not given. One row is taken, and the budget is shared as if these\n"
                "statistics had the greatest errors. A public guess of the rows shares it better.\n");
    }
    if (s->object != NULL)
        pby_sheet_member(s, "unexpected", list);
    else
        json_decref(list);
}

static pby_status print_advice(pby_sheet *s, pby_release_plan *plan, pby_error *err)
{
    pby_plan_advice advice[PBY_PLAN_ADVICE_MAX];
    size_t count;
    json_t *list = json_array();
    const pby_status status = pby_plan_advise(advice, &count, plan, err);
    if (status == PBY_OK && count > 0 && s->lines != NULL) {
        pby_sheet_break(s);
        fprintf(s->lines, "Changes that would help most, on the weighted average:\n");
        for (size_t i = 0; i < count; i++)
            fprintf(s->lines, "  errors %3.0f %% smaller  %s\n", 100 * (1 - advice[i].errors),
                    advice[i].change);
    }
    for (size_t i = 0; status == PBY_OK && s->object != NULL && i < count; i++)
        list = pby_json_append(list, json_pack("{s:s, s:o}", "change", advice[i].change, "errors",
                                               thousandths((unsigned)(1000 * advice[i].errors + 0.5))));
    if (s->object != NULL)
        pby_sheet_member(s, "advice", list);
    else
        json_decref(list);
    return status;
}

static bool some_choice(const pby_plan_choice *c)
{
    bool some = false;
    for (size_t i = 0; i < c->quantities.count; i++)
        some = some || c->quantities.quantity[i].candidates > 0;
    return some;
}

static bool some_hidden(const pby_release_plan *plan)
{
    bool some = false;
    for (size_t i = 0; i < plan->groupings; i++)
        some = some || plan->grouping[i].hidden;
    return some;
}

pby_status pby_report_plan(char **text, pby_release_plan *plan, const pby_plan_choice *c,
                           pby_report_form form, pby_error *err)
{
    pby_sheet s;
    bool unknown = false;
    pby_sheet_begin(&s, form);
    print_budget(&s, plan, c);
    pby_status status = print_statistics(&s, plan, c, &unknown, err);
    if (status == PBY_OK && s.lines != NULL) {
        fprintf(
            s.lines,
            "\nAll groups of a statistic are off by no more than that at once, in 95 of 100 releases. This\n"
            "is about the rows that are left when each user's are bounded, values clipped and others\n"
            "dropped: what that takes away is not in these numbers. A statistic's share of the budget\n"
            "counts rows that several statistics share for each.\n");
        if (some_hidden(plan))
            fprintf(
                s.lines,
                "Hidden groups are told where the noisy number of their users reaches T. An error is that\n"
                "of one group that was named beforehand, whether it is told or not.\n");
        if (some_choice(c))
            fprintf(s.lines,
                    "The error of a quantile is that of its rank, in rows, beside rows equal to it; of top,\n"
                    "how many rows fewer a chosen group has than the best that was left.\n");
        if (unknown)
            fprintf(s.lines,
                    "An error is unknown where the expected rows of a group (expect) are too few to\n"
                    "divide by.\n");
    }
    if (status == PBY_OK) {
        print_expect(&s, plan);
        status = print_advice(&s, plan, err);
    }
    return pby_sheet_end(text, &s, status, err);
}
