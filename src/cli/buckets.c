#include "cli/buckets.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/options.h"
#include "cli/output.h"
#include "mechanism/buckethist/buckets.h"
#include "number/integer.h"
#include "probity/rational.h"
#include "select/buckets.h"

enum { FRONTIER_MAX = 64, LINE_SIZE = 512 };

struct question {
    mpq_t bound, at;
    pby_bucketed points;
    const pby_use *use; /* of the stlap that was chosen */
};

pby_status pby_buckets_none(const pby_buckets_asked *asked, pby_error *err)
{
    const char *const values[] = {asked->records, asked->bound, asked->dimension, asked->alpha, asked->beta};
    static const char *const names[] = {"--records", "--bound", "--dimension", "--alpha", "--beta"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (values[i] != NULL)
            return pby_refuse(err, names[i], values[i],
                              "it with select buckethist --records N --bound B alone");
    return PBY_OK;
}

static pby_status read_question(struct question *q, const pby_choice *stlap, const pby_buckets_asked *asked,
                                pby_error *err)
{
    unsigned long records, dimension;
    if (asked->records == NULL || asked->bound == NULL)
        return pby_fail(err, PBY_BAD, "select buckethist: expected --records N and --bound B");
    pby_status status = pby_integer_parse(&records, "--records", asked->records, 1, INT64_MAX, 1, err);
    if (status == PBY_OK)
        status = pby_integer_parse(&dimension, "--dimension", asked->dimension, 1, PBY_DIMENSION_MAX, 1, err);
    if (status == PBY_OK)
        status = pby_rational_parse(q->bound, "--bound", asked->bound, err);
    if (status == PBY_OK && asked->alpha != NULL)
        status = pby_rational_parse(q->at, "--alpha", asked->alpha, err);
    if (status == PBY_OK && asked->beta != NULL)
        status = pby_rational_parse(q->at, "--beta", asked->beta, err);
    if (status == PBY_OK)
        q->points = (pby_bucketed){stlap->chosen.value, q->bound, records, dimension};
    q->use = &stlap->chosen.spec->use[0];
    return status;
}

/* ---- one plan --------------------------------------------------------------------------------- */

static pby_status plan_json(json_t **out, const struct question *q, const pby_plan *plan, pby_error *err)
{
    pby_spec *spec;
    const pby_status status = pby_buckets_planned(&spec, q->use, &q->points, plan, err);
    if (status != PBY_OK)
        return status;
    char *alpha = mpq_get_str(NULL, 10, plan->alpha), *beta = mpq_get_str(NULL, 10, plan->beta);
    *out = json_pack("{s:s, s:s, s:s}", "spec", pby_spec_text(spec), "alpha", alpha, "beta", beta);
    free(alpha);
    free(beta);
    pby_spec_free(spec);
    return *out != NULL ? PBY_OK : pby_no_memory(err);
}

static pby_status print_plan(const struct question *q, const pby_plan *plan, pby_error *err)
{
    pby_spec *spec;
    const pby_status status = pby_buckets_planned(&spec, q->use, &q->points, plan, err);
    if (status != PBY_OK)
        return status;
    const char *each = q->use->times > 1 ? " in each use" : "";
    pby_print_line("buckets", pby_spec_text(spec));
    gmp_printf("%-12s%Qd of the points at most are dropped%s (alpha)\n", "", plan->alpha, each);
    gmp_printf("%-12s%Qd at most is a coordinate moved%s (beta)\n", "", plan->beta, each);
    pby_spec_free(spec);
    return PBY_OK;
}

/* One bucket more along each coordinate, which drops too much. */
static pby_status print_finer(const struct question *q, const pby_plan *plan, pby_error *err)
{
    pby_plan finer;
    pby_plan_init(&finer);
    mpz_add_ui(finer.side, plan->side, 1);
    const pby_status status = pby_plan_side(&finer, &q->points, finer.side, err);
    if (status == PBY_OK)
        gmp_printf("%-12swith beta %Qd, alpha would be %Qd\n", "  finer", finer.beta, finer.alpha);
    pby_plan_clear(&finer);
    return status;
}

static pby_status make_plan(pby_plan *plan, const struct question *q, const pby_buckets_asked *asked,
                            pby_error *err)
{
    return asked->alpha != NULL ? pby_plan_alpha(plan, &q->points, q->at, err)
                                : pby_plan_beta(plan, &q->points, q->at, err);
}

static pby_status add_plan(json_t *object, const struct question *q, const pby_plan *plan, pby_error *err)
{
    json_t *json;
    const pby_status status = plan_json(&json, q, plan, err);
    return status == PBY_OK ? pby_json_set(object, "buckets", json, err) : status;
}

static pby_status answer_one(const struct question *q, const pby_buckets_asked *asked, json_t *object,
                             pby_error *err)
{
    pby_plan plan;
    pby_plan_init(&plan);
    pby_status status = make_plan(&plan, q, asked, err);
    if (status == PBY_OK)
        status = object != NULL ? add_plan(object, q, &plan, err) : print_plan(q, &plan, err);
    if (status == PBY_OK && object == NULL && asked->alpha != NULL)
        status = print_finer(q, &plan, err);
    pby_plan_clear(&plan);
    return status;
}

/* ---- the frontier ----------------------------------------------------------------------------- */

static void print_point(const pby_plan *plan, bool first)
{
    char line[LINE_SIZE];
    if (first)
        printf("%-10s  %-24s  %s\n", "buckets", "beta (moved)", "alpha (dropped)");
    gmp_snprintf(line, sizeof line, "%-10Zd  %-24Qd  %Qd", plan->side, plan->beta, plan->alpha);
    puts(line);
}

static pby_status append_point(json_t *table, const struct question *q, const pby_plan *plan, pby_error *err)
{
    json_t *json;
    const pby_status status = plan_json(&json, q, plan, err);
    if (status != PBY_OK)
        return status;
    return json_array_append_new(table, json) == 0 ? PBY_OK : pby_no_memory(err);
}

/* 1, 2, 4, ... buckets along a coordinate, until everything may be dropped. */
static pby_status answer_frontier(const struct question *q, json_t *object, pby_error *err)
{
    pby_plan plan;
    json_t *table = json_array();
    pby_status status = PBY_OK;
    pby_plan_init(&plan);
    mpz_set_ui(plan.side, 1);
    for (int i = 0; i < FRONTIER_MAX && status == PBY_OK && mpq_cmp_ui(plan.alpha, 1, 1) < 0; i++) {
        status = pby_plan_side(&plan, &q->points, plan.side, err);
        if (status == PBY_OK && object != NULL)
            status = append_point(table, q, &plan, err);
        else if (status == PBY_OK)
            print_point(&plan, i == 0);
        mpz_mul_2exp(plan.side, plan.side, 1);
    }
    if (status == PBY_OK && object != NULL)
        status = pby_json_set(object, "frontier", json_incref(table), err);
    json_decref(table);
    pby_plan_clear(&plan);
    return status;
}

pby_status pby_buckets_answer(const pby_choice *stlap, const pby_buckets_asked *asked, json_t *object,
                              pby_error *err)
{
    struct question q;
    mpq_inits(q.bound, q.at, (mpq_ptr)0);
    pby_status status = read_question(&q, stlap, asked, err);
    if (status == PBY_OK)
        status = asked->alpha != NULL || asked->beta != NULL ? answer_one(&q, asked, object, err)
                                                             : answer_frontier(&q, object, err);
    mpq_clears(q.bound, q.at, (mpq_ptr)0);
    return status;
}

pby_status pby_buckets_spec(pby_spec **out, const pby_choice *stlap, const pby_buckets_asked *asked,
                            pby_error *err)
{
    struct question q;
    pby_plan plan;
    *out = NULL;
    if (asked->alpha == NULL && asked->beta == NULL)
        return pby_fail(err, PBY_BAD, "--certify: expected --alpha or --beta, which choose the buckets");
    mpq_inits(q.bound, q.at, (mpq_ptr)0);
    pby_plan_init(&plan);
    pby_status status = read_question(&q, stlap, asked, err);
    if (status == PBY_OK)
        status = make_plan(&plan, &q, asked, err);
    if (status == PBY_OK)
        status = pby_buckets_planned(out, q.use, &q.points, &plan, err);
    pby_plan_clear(&plan);
    mpq_clears(q.bound, q.at, (mpq_ptr)0);
    return status;
}
