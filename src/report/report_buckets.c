/* SPDX-License-Identifier: MIT */
#include "report/report_buckets.h"
#include "probity/experimental/buckets.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/json.h"
#include "mechanism/buckethist/buckets.h"
#include "number/integer.h"
#include "probity/rational.h"
#include "select/select_buckets.h"

enum { FRONTIER_MAX = 64 };

struct question {
    mpq_t bound, at;
    pby_bucketed points;
    const pby_use *use; /* of the stlap that was chosen */
};

pby_status pby_buckets_none(const pby_select_asked *asked, pby_error *err)
{
    const char *const values[] = {asked->records, asked->bound, asked->dimension, asked->alpha, asked->beta};
    static const char *const names[] = {"records", "bound", "dimension", "alpha", "beta"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (values[i] != NULL)
            return pby_refuse(err, names[i], values[i], "it with a plan of buckets alone");
    return PBY_OK;
}

static pby_status read_question(struct question *q, const pby_choice *stlap, const pby_select_asked *asked,
                                pby_error *err)
{
    uint64_t records;
    unsigned long dimension;
    if (asked->records == NULL || asked->bound == NULL)
        return pby_fail(err, PBY_BAD, "buckets: expected records and bound");
    pby_status status = pby_integer_parse_wide(&records, "records", asked->records, 1, INT64_MAX, 1, err);
    if (status == PBY_OK)
        status = pby_integer_parse(&dimension, "dimension", asked->dimension, 1, PBY_DIMENSION_MAX, 1, err);
    if (status == PBY_OK)
        status = pby_rational_parse(q->bound, "bound", asked->bound, err);
    if (status == PBY_OK && asked->alpha != NULL)
        status = pby_rational_parse(q->at, "alpha", asked->alpha, err);
    if (status == PBY_OK && asked->beta != NULL)
        status = pby_rational_parse(q->at, "beta", asked->beta, err);
    if (status == PBY_OK)
        q->points = (pby_bucketed){stlap->chosen.value, q->bound, records, dimension};
    q->use = &stlap->chosen.spec->use[0];
    return status;
}

/* ---- one plan --------------------------------------------------------------------------------- */

static json_t *plan_json(const pby_spec *spec, const pby_plan *plan)
{
    char *alpha = mpq_get_str(NULL, 10, plan->alpha), *beta = mpq_get_str(NULL, 10, plan->beta);
    json_t *json = json_pack("{s:s, s:s, s:s}", "spec", pby_spec_text(spec), "alpha", alpha, "beta", beta);
    free(alpha);
    free(beta);
    return json;
}

static void print_plan(pby_sheet *s, const struct question *q, const pby_spec *spec, const pby_plan *plan)
{
    const char *each = q->use->times > 1 ? " in each use" : "";
    char *alpha = mpq_get_str(NULL, 10, plan->alpha), *beta = mpq_get_str(NULL, 10, plan->beta);
    pby_sheet_line(s, "buckets", "%s", pby_spec_text(spec));
    pby_sheet_line(s, "", "%s of the points at most are dropped%s (alpha)", alpha, each);
    pby_sheet_line(s, "", "%s at most is a coordinate moved%s (beta)", beta, each);
    pby_sheet_member(s, "buckets", plan_json(spec, plan));
    free(alpha);
    free(beta);
}

/* One bucket more along each coordinate, which drops too much. */
static pby_status print_finer(pby_sheet *s, const struct question *q, const pby_plan *plan, pby_error *err)
{
    pby_plan finer;
    pby_plan_init(&finer);
    mpz_add_ui(finer.side, plan->side, 1);
    const pby_status status = pby_plan_side(&finer, &q->points, finer.side, err);
    if (status == PBY_OK) {
        char *alpha = mpq_get_str(NULL, 10, finer.alpha), *beta = mpq_get_str(NULL, 10, finer.beta);
        pby_sheet_line(s, "  finer", "with beta %s, alpha would be %s", beta, alpha);
        free(alpha);
        free(beta);
    }
    pby_plan_clear(&finer);
    return status;
}

static pby_status print_one(pby_sheet *s, pby_spec **planned, const struct question *q, bool by_alpha,
                            pby_error *err)
{
    pby_plan plan;
    pby_spec *spec = NULL;
    pby_plan_init(&plan);
    pby_status status = by_alpha ? pby_plan_alpha(&plan, &q->points, q->at, err)
                                 : pby_plan_beta(&plan, &q->points, q->at, err);
    if (status == PBY_OK)
        status = pby_buckets_planned(&spec, q->use, &q->points, &plan, err);
    if (status == PBY_OK)
        print_plan(s, q, spec, &plan);
    if (status == PBY_OK && by_alpha && s->lines != NULL)
        status = print_finer(s, q, &plan, err);
    pby_plan_clear(&plan);
    if (status == PBY_OK && planned != NULL)
        *planned = spec;
    else
        pby_spec_free(spec);
    return status;
}

/* ---- the frontier ----------------------------------------------------------------------------- */

static void print_point(pby_sheet *s, const pby_plan *plan, bool first)
{
    char *side = mpz_get_str(NULL, 10, plan->side), *alpha = mpq_get_str(NULL, 10, plan->alpha),
         *beta = mpq_get_str(NULL, 10, plan->beta);
    if (first)
        fprintf(s->lines, "%-10s  %-24s  %s\n", "buckets", "beta (moved)", "alpha (dropped)");
    fprintf(s->lines, "%-10s  %-24s  %s\n", side, beta, alpha);
    free(side);
    free(alpha);
    free(beta);
}

/* The table with one plan more; NULL, and nothing is left, when there is no memory. */
static pby_status append_point(json_t **table, const struct question *q, const pby_plan *plan, pby_error *err)
{
    pby_spec *spec;
    const pby_status status = pby_buckets_planned(&spec, q->use, &q->points, plan, err);
    if (status != PBY_OK)
        return status;
    *table = pby_json_append(*table, plan_json(spec, plan));
    pby_spec_free(spec);
    return PBY_OK;
}

/* 1, 2, 4, ... buckets along a coordinate, until everything may be dropped. */
static pby_status print_frontier(pby_sheet *s, const struct question *q, pby_error *err)
{
    pby_plan plan;
    json_t *table = s->object != NULL ? json_array() : NULL;
    pby_status status = PBY_OK;
    pby_plan_init(&plan);
    mpz_set_ui(plan.side, 1);
    for (int i = 0; i < FRONTIER_MAX && status == PBY_OK && mpq_cmp_ui(plan.alpha, 1, 1) < 0; i++) {
        status = pby_plan_side(&plan, &q->points, plan.side, err);
        if (status == PBY_OK && s->object != NULL)
            status = append_point(&table, q, &plan, err);
        if (status == PBY_OK && s->lines != NULL)
            print_point(s, &plan, i == 0);
        mpz_mul_2exp(plan.side, plan.side, 1);
    }
    pby_sheet_member(s, "frontier", table);
    pby_plan_clear(&plan);
    return status;
}

pby_status pby_buckets_tell(pby_sheet *s, pby_spec **planned, const pby_choice *stlap,
                            const pby_select_asked *asked, pby_error *err)
{
    struct question q;
    if (planned != NULL)
        *planned = NULL;
    mpq_inits(q.bound, q.at, (mpq_ptr)0);
    pby_status status = read_question(&q, stlap, asked, err);
    if (status == PBY_OK)
        status = asked->alpha != NULL || asked->beta != NULL
                     ? print_one(s, planned, &q, asked->alpha != NULL, err)
                     : print_frontier(s, &q, err);
    mpq_clears(q.bound, q.at, (mpq_ptr)0);
    return status;
}
