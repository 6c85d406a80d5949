#include "cli/buckets.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "cli/output.h"
#include "mechanism/buckets.h"
#include "probity/rational.h"

enum { FRONTIER_MAX = 64, LINE_SIZE = 512 };

struct question {
    mpq_t bound, at;
    pby_bucketed points;
    const char *uses; /* "3*stlap:eps=1/2,q=51": the choice, of which the first bytes, "3*", are how often */
    int uses_size;
    const char *eps;  /* "eps=1/2,q=51" of it */
};

pby_status pby_buckets_none(const pby_buckets_asked *asked, pby_error *err)
{
    const char *const values[] = {asked->records, asked->bound, asked->dimension, asked->alpha, asked->beta};
    static const char *const names[] = {"--records", "--bound", "--dimension", "--alpha", "--beta"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (values[i] != NULL)
            return pby_refuse(err, names[i], values[i], "it with select buckethist --records N --bound B alone");
    return PBY_OK;
}

static pby_status read_question(struct question *q, const pby_choice *stlap, const pby_buckets_asked *asked,
                                pby_error *err)
{
    unsigned long records, dimension;
    if (asked->records == NULL || asked->bound == NULL)
        return pby_fail(err, PBY_BAD, "select buckethist: expected --records N and --bound B");
    pby_status status = pby_option_integer(&records, "--records", asked->records, 1, INT64_MAX, 1, err);
    if (status == PBY_OK)
        status = pby_option_integer(&dimension, "--dimension", asked->dimension, 1, PBY_DIMENSION_MAX, 1, err);
    if (status == PBY_OK)
        status = pby_rational_parse(q->bound, "--bound", asked->bound, err);
    if (status == PBY_OK && asked->alpha != NULL)
        status = pby_rational_parse(q->at, "--alpha", asked->alpha, err);
    if (status == PBY_OK && asked->beta != NULL)
        status = pby_rational_parse(q->at, "--beta", asked->beta, err);
    if (status == PBY_OK)
        q->points = (pby_bucketed){stlap->chosen.value, q->bound, records, dimension};
    q->uses = pby_spec_text(stlap->chosen.spec);
    q->uses_size = (int)(strstr(q->uses, "stlap:") - q->uses);
    q->eps = q->uses + q->uses_size + strlen("stlap:");
    return status;
}

/* ---- one plan --------------------------------------------------------------------------------- */

static char *spec_of(const struct question *q, const pby_plan *plan)
{
    char *text = NULL, dimension[32] = "";
    if (q->points.dimension > 1)
        snprintf(dimension, sizeof dimension, ",dimension=%lu", (unsigned long)q->points.dimension);
    return gmp_asprintf(&text, "%.*sbuckethist:%s,bound=%Qd,width=%Qd%s", q->uses_size, q->uses, q->eps, q->bound,
                        plan->width, dimension) < 0
               ? NULL
               : text;
}

static json_t *plan_json(const struct question *q, const pby_plan *plan)
{
    char *spec = spec_of(q, plan), *alpha = mpq_get_str(NULL, 10, plan->alpha),
         *beta = mpq_get_str(NULL, 10, plan->beta);
    json_t *object = json_pack("{s:s, s:s, s:s}", "spec", spec, "alpha", alpha, "beta", beta);
    free(spec);
    free(alpha);
    free(beta);
    return object;
}

static void print_plan(const struct question *q, const pby_plan *plan)
{
    char *spec = spec_of(q, plan);
    const char *each = q->uses_size > 0 ? " in each use" : "";
    pby_print_line("buckets", spec);
    gmp_printf("%-12s%Qd of the points at most are dropped%s (alpha)\n", "", plan->alpha, each);
    gmp_printf("%-12s%Qd at most is a coordinate moved%s (beta)\n", "", plan->beta, each);
    free(spec);
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

static pby_status answer_one(const struct question *q, const pby_buckets_asked *asked, json_t *object, pby_error *err)
{
    pby_plan plan;
    pby_plan_init(&plan);
    pby_status status = asked->alpha != NULL ? pby_plan_alpha(&plan, &q->points, q->at, err)
                                             : pby_plan_beta(&plan, &q->points, q->at, err);
    if (status == PBY_OK && object != NULL)
        status = pby_json_set(object, "buckets", plan_json(q, &plan), err);
    else if (status == PBY_OK) {
        print_plan(q, &plan);
        if (asked->alpha != NULL)
            status = print_finer(q, &plan, err);
    }
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
            json_array_append_new(table, plan_json(q, &plan));
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

pby_status pby_buckets_answer(const pby_choice *stlap, const pby_buckets_asked *asked, json_t *object, pby_error *err)
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
