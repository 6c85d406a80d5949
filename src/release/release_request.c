/* SPDX-License-Identifier: MIT */
#include "release/release_request.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "io/file.h"
#include "number/integer.h"
#include "probity/rational.h"

void pby_release_request_init(pby_release_request *r)
{
    *r = (pby_release_request){.names = {.options = true, .value = PBY_ARG_SUM}};
    r->pipeline.names = &r->names;
    r->pipeline.limit = INT64_MAX;
    mpq_inits(r->range.lo, r->range.hi, r->step, NULL);
}

void pby_release_request_clear(pby_release_request *r)
{
    pby_scatter_free(r->scatter);
    mpq_clears(r->range.lo, r->range.hi, r->step, NULL);
    pby_key_names_clear(&r->keys);
}

/* ---- a value of each kind ---------------------------------------------------------------------- */

/* LO:HI, the ends of what scores are moved into. */
static pby_status read_range(pby_score_range *range, const char *name, const char *text, pby_error *err)
{
    static const char expected[] = "LO:HI, two rationals of at most 40 digits with LO < HI, such as 0:100";
    const char *colon = strchr(text, ':');
    char *lo = colon == NULL ? NULL : strndup(text, (size_t)(colon - text));
    const bool good = lo != NULL && pby_rational_parse(range->lo, name, lo, NULL) == PBY_OK &&
                      pby_rational_parse(range->hi, name, colon + 1, NULL) == PBY_OK &&
                      mpq_cmp(range->lo, range->hi) < 0;
    free(lo);
    return good ? PBY_OK : pby_refuse(err, name, text, expected);
}

static pby_status read_positive(mpq_t out, const char *name, const char *text, pby_error *err)
{
    PBY_TRY(pby_rational_parse(out, name, text, err));
    return mpq_sgn(out) > 0 ? PBY_OK : pby_refuse(err, name, text, "a rational above 0 such as 1/4");
}

static pby_status read_number(unsigned long *out, const pby_option *o, pby_error *err)
{
    return pby_integer_parse(out, o->name, o->value, 1, INT64_MAX, 0, err);
}

/* Parses a value into the room beside the pipeline, and points the member to it. */
static pby_status read_value(pby_release_request *r, const pby_option *options, pby_argument which,
                             pby_error *err)
{
    pby_pipeline *p = &r->pipeline;
    const pby_option *o = &options[which];
    unsigned long number;
    switch (pby_pipeline_members[which].held) {
    case PBY_HELD_LIMIT:
        PBY_TRY(read_number(&number, o, err));
        p->limit = (int64_t)number;
        return PBY_OK;
    case PBY_HELD_ROUNDS:
        PBY_TRY(read_number(&number, o, err));
        p->rounds = number;
        return PBY_OK;
    case PBY_HELD_STATISTIC:
        p->statistic = &r->statistic;
        return pby_statistic_parse(&r->statistic, o->value, options[PBY_ARG_K].value,
                                   options[PBY_ARG_Q].value, err);
    case PBY_HELD_NAMES:
        p->keys = &r->keys;
        return pby_key_names_parse(&r->keys, o->name, o->value, err);
    case PBY_HELD_RANGE:
        p->range = &r->range;
        return read_range(&r->range, o->name, o->value, err);
    case PBY_HELD_DIRECTION:
        p->along = &r->along;
        return pby_project_parse(&r->along, o->name, o->value, err);
    case PBY_HELD_RATIONAL:
        p->step = r->step;
        return read_positive(r->step, o->name, o->value, err);
    case PBY_HELD_SCATTER:
        PBY_TRY(pby_scatter_read(&r->scatter, o->value, o->name, p->in, err));
        p->scatter = r->scatter;
        return PBY_OK;
    default:
        return PBY_OK;
    }
}

/* ---- the request ------------------------------------------------------------------------------- */

static pby_moment moment_of(const pby_option *o)
{
    for (int i = 0; i <= PBY_ARG_QUANTILE - PBY_ARG_SUM; i++)
        if (o[PBY_ARG_SUM + i].value != NULL)
            return (pby_moment)(PBY_MOMENT_SUM + i);
    return PBY_MOMENT_NONE;
}

/* Takes the arguments that need no parsing. */
static void take_texts(pby_pipeline *p, const pby_option *options)
{
    for (int i = 0; i < PBY_ARGS; i++) {
        void *member = (char *)p + pby_pipeline_members[i].at;
        switch (pby_pipeline_members[i].held) {
        case PBY_HELD_FLAG:
            *(bool *)member = options[i].value != NULL;
            break;
        case PBY_HELD_TEXT:
        case PBY_HELD_PATH:
            *(const char **)member = options[i].value;
            break;
        case PBY_HELD_OUTPUT:
            *(const char **)member = pby_path_named(options[i].value);
            break;
        default:
            break;
        }
    }
}

pby_status pby_release_request_read(pby_release_request *r, const pby_option *options, const char *in,
                                    pby_error *err)
{
    /* In this order: of two faults the first is told. */
    static const pby_argument parsed[] = {PBY_ARG_KEYS, PBY_ARG_RANGE, PBY_ARG_ALONG, PBY_ARG_STEP,
                                          PBY_ARG_SCATTER};
    static const pby_argument first[] = {PBY_ARG_TRUNCATE, PBY_ARG_ROUNDS, PBY_ARG_STATISTIC};
    pby_pipeline *p = &r->pipeline;
    p->in = pby_path_named(in);
    p->moment = moment_of(options);
    take_texts(p, options);
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (options[first[i]].value != NULL)
            PBY_TRY(read_value(r, options, first[i], err));
    if (p->statistic == NULL &&
        (options[PBY_ARG_K].value != NULL || (p->quantiles != NULL && p->moment != PBY_MOMENT_QUANTILE)))
        return pby_fail(err, PBY_BAD, "release: expected --statistic NAME beside --k or --q");
    for (size_t i = 0; i < sizeof parsed / sizeof *parsed; i++)
        if (options[parsed[i]].value != NULL)
            PBY_TRY(read_value(r, options, parsed[i], err));
    if (p->moment != PBY_MOMENT_NONE)
        r->names.value = PBY_ARG_SUM + (pby_argument)p->moment - 1;
    return PBY_OK;
}
