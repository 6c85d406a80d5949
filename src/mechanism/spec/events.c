/* SPDX-License-Identifier: MIT */
#include "mechanism/spec/events.h"

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "mechanism/spec/event_uses.h"
#include "probity/rational.h"

enum { DEPTH_MAX = 64, WORD_SIZE = 64, NUMBER_SIZE = 4200 };

/* ---- the text --------------------------------------------------------------------------------- */

struct reader {
    const char *at, *end;
    size_t line;
    int depth;
    pby_error *err;
};

static pby_status expected(const struct reader *r, const char *what)
{
    return pby_fail(r->err, PBY_BAD, "line %zu: expected %s", r->line, what);
}

/* The next byte that is no space; 0 at the end. */
static char peek(struct reader *r)
{
    for (; r->at < r->end && strchr(" \t\r\n", *r->at) != NULL && *r->at != '\0'; r->at++)
        r->line += *r->at == '\n';
    return r->at < r->end ? *r->at : '\0';
}

static bool take(struct reader *r, char c)
{
    const bool there = peek(r) == c && c != '\0';
    r->at += there;
    return there;
}

/* A string without escapes; `what` it is, for the refusal. */
static pby_status read_string(char *out, size_t size, struct reader *r, const char *what)
{
    if (!take(r, '"'))
        return expected(r, what);
    const char *from = r->at;
    while (r->at < r->end && *r->at != '"' && *r->at != '\\' && (unsigned char)*r->at >= ' ')
        r->at++;
    const size_t n = (size_t)(r->at - from);
    if (r->at == r->end || *r->at != '"' || n >= size)
        return expected(r, what);
    memcpy(out, from, n);
    out[n] = '\0';
    r->at++;
    return PBY_OK;
}

/* A number as it is written, or a rational in a string. */
static pby_status read_number(mpq_t out, struct reader *r, const char *name)
{
    char text[NUMBER_SIZE], where[2 * WORD_SIZE];
    pby_status status = PBY_OK;
    snprintf(where, sizeof where, "line %zu: %s", r->line, name);
    if (peek(r) == '"') {
        status = read_string(text, sizeof text, r, "a number of at most 4096 digits");
    } else {
        const char *from = r->at;
        while (r->at < r->end && *r->at != '\0' && strchr("+-.0123456789eE", *r->at) != NULL)
            r->at++;
        const size_t n = (size_t)(r->at - from);
        if (n == 0 || n >= sizeof text)
            return pby_fail(r->err, PBY_BAD, "%s: expected a number", where);
        memcpy(text, from, n);
        text[n] = '\0';
    }
    return status == PBY_OK ? pby_rational_parse(out, where, text, r->err) : status;
}

/* ---- objects ---------------------------------------------------------------------------------- */

enum field {
    CLASS,
    MODULE,
    MULTIPLIER,
    PARAMETER,
    PROBABILITY,
    COUNT,
    DATASET,
    BATCH,
    SENSITIVITY,
    BUCKETS,
    RHO,
    XI,
    SOURCE,
    SAMPLE,
    STEPS,
    EVENT,
    EVENTS,
    FIELDS
};

static const char *const fields[] = {[CLASS] = "class_name",
                                     [MODULE] = "module_name",
                                     [MULTIPLIER] = "noise_multiplier",
                                     [PARAMETER] = "noise_parameter",
                                     [PROBABILITY] = "sampling_probability",
                                     [COUNT] = "count",
                                     [DATASET] = "dataset_size",
                                     [BATCH] = "truncated_batch_size",
                                     [SENSITIVITY] = "sensitivity",
                                     [BUCKETS] = "num_buckets",
                                     [RHO] = "rho",
                                     [XI] = "xi",
                                     [SOURCE] = "source_dataset_size",
                                     [SAMPLE] = "sample_size",
                                     [STEPS] = "step_counts",
                                     [EVENT] = "event",
                                     [EVENTS] = "events"};

/* The contents of one object: its fields in any order, and the uses of the events inside. */
struct object {
    unsigned seen;
    const struct class *class;
    mpq_t number[FIELDS]; /* of the fields that are numbers */
    pby_event_uses inside;
};

/* A class of events. One that is read has `finish`, which checks the numbers of an object and adds its uses
 * to a list; the others have the reason why they are refused. */
struct class
{
    const char *name, *refused;
    unsigned has, may; /* the fields that it has, and may have, beside its name and its module */
    pby_status (*finish)(pby_event_uses *out, struct object *o, const struct reader *r);
};

static pby_status refuse(const struct object *o, const struct reader *r, const char *expected_here)
{
    return pby_fail(r->err, PBY_BAD, "line %zu: %s: expected %s", r->line, o->class->name, expected_here);
}

static bool is_rate(const mpq_t x)
{
    return mpq_sgn(x) > 0 && mpq_cmp_ui(x, 1, 1) <= 0;
}

static bool is_one(const mpq_t x)
{
    return mpq_cmp_ui(x, 1, 1) == 0;
}

/* True if x is an integer from 1 to `most`. */
static bool counts(const mpq_t x, unsigned long most)
{
    return mpz_cmp_ui(mpq_denref(x), 1) == 0 && mpq_sgn(x) > 0 && mpq_cmp_ui(x, most, 1) <= 0;
}

static unsigned long natural(const mpq_t x)
{
    return mpz_get_ui(mpq_numref(x));
}

/* ---- events that add noise --------------------------------------------------------------------- */

/* Adds one use with a parameter, and with a second one unless that is NULL. */
static pby_status add_one(pby_event_uses *out, const pby_family *family, const char *name, mpq_srcptr value,
                          const char *second, mpq_srcptr second_value, const struct reader *r)
{
    pby_event_use use;
    pby_event_use_init(&use, family);
    pby_event_use_give(&use, name, value);
    if (second != NULL)
        pby_event_use_give(&use, second, second_value);
    const pby_status status = pby_event_uses_add(out, &use, r->line, r->err);
    pby_event_use_clear(&use);
    return status;
}

static pby_status finish_gaussian(pby_event_uses *out, struct object *o, const struct reader *r)
{
    mpq_t *z = &o->number[MULTIPLIER];
    if (mpq_sgn(*z) <= 0)
        return refuse(o, r, "a noise_multiplier above 0");
    mpq_mul(*z, *z, *z);
    return add_one(out, &pby_family_gauss, "sigma2", *z, NULL, NULL, r);
}

static pby_status finish_laplace(pby_event_uses *out, struct object *o, const struct reader *r)
{
    if (mpq_sgn(o->number[MULTIPLIER]) <= 0)
        return refuse(o, r, "a noise_multiplier above 0");
    return add_one(out, &pby_family_laplace, "scale", o->number[MULTIPLIER], NULL, NULL, r);
}

/* Noise with masses proportional to exp(-a |x|) loses a for each step of the sensitivity C. */
static pby_status finish_discrete(pby_event_uses *out, struct object *o, const struct reader *r)
{
    mpq_t *a = &o->number[PARAMETER];
    if (mpq_sgn(*a) <= 0)
        return refuse(o, r, "a noise_parameter above 0");
    if (!counts(o->number[SENSITIVITY], INT32_MAX))
        return refuse(o, r, "a sensitivity from 1 to 2147483647");
    mpq_mul(*a, *a, o->number[SENSITIVITY]);
    return add_one(out, &pby_family_geometric, "eps", *a, "sensitivity", o->number[SENSITIVITY], r);
}

static pby_status finish_zcdp(pby_event_uses *out, struct object *o, const struct reader *r)
{
    if (mpq_sgn(o->number[RHO]) <= 0 || mpq_sgn(o->number[XI]) < 0)
        return refuse(o, r, "a rho above 0, and a xi of 0 or more");
    return add_one(out, &pby_family_zcdp, "rho", o->number[RHO], "xi", o->number[XI], r);
}

/* With chance p the report is one of all k buckets, the truth among them: the odds of the truth against any
 * one other are (k (1 - p) + p)/p. With p = 1 a report says nothing. */
static pby_status finish_response(pby_event_uses *out, struct object *o, const struct reader *r)
{
    if (!is_rate(o->number[PARAMETER]))
        return refuse(o, r, "a noise_parameter above 0, at most 1: without noise nothing is private");
    if (!counts(o->number[BUCKETS], INT32_MAX) || is_one(o->number[BUCKETS]))
        return refuse(o, r, "num_buckets from 2 to 2147483647");
    if (is_one(o->number[PARAMETER]))
        return PBY_OK;
    mpq_t odds;
    mpq_init(odds);
    mpq_inv(odds, o->number[PARAMETER]);
    mpz_sub(mpq_numref(odds), mpq_numref(odds), mpq_denref(odds)); /* (1 - p)/p */
    mpq_mul(odds, odds, o->number[BUCKETS]);
    mpz_add(mpq_numref(odds), mpq_numref(odds), mpq_denref(odds));
    const bool two = natural(o->number[BUCKETS]) == 2;
    const pby_status status = two ? add_one(out, &pby_family_rr, "odds", odds, NULL, NULL, r)
                                  : add_one(out, &pby_family_krr, "odds", odds, "k", o->number[BUCKETS], r);
    mpq_clear(odds);
    return status;
}

/* A record is in one leaf of one tree. Of a tree of n leaves its nodes are those of the complete subtrees
 * above it, as many as n has binary digits for the first leaf and no more for another. */
static pby_status finish_tree(pby_event_uses *out, struct object *o, const struct reader *r)
{
    mpq_t *z = &o->number[MULTIPLIER], nodes;
    if (mpq_sgn(*z) <= 0)
        return refuse(o, r, "a noise_multiplier above 0");
    mpq_init(nodes);
    mpq_set_ui(nodes, mpz_sizeinbase(mpq_numref(o->number[STEPS]), 2), 1);
    mpq_mul(*z, *z, *z);
    mpq_div(*z, *z, nodes);
    mpq_clear(nodes);
    return add_one(out, &pby_family_gauss, "sigma2", *z, NULL, NULL, r);
}

static pby_status finish_truncated(pby_event_uses *out, struct object *o, const struct reader *r)
{
    mpq_t *z = &o->number[MULTIPLIER];
    if (mpq_sgn(*z) <= 0)
        return refuse(o, r, "a noise_multiplier above 0");
    if (!is_rate(o->number[PROBABILITY]))
        return refuse(o, r, "a sampling_probability above 0, at most 1");
    if (is_one(o->number[PROBABILITY]))
        return refuse(o, r, "a sampling_probability below 1: all records are no sample");
    if (!counts(o->number[DATASET], INT32_MAX) || !counts(o->number[BATCH], INT32_MAX))
        return refuse(o, r, "a dataset_size and a truncated_batch_size from 1 to 2147483647");
    pby_event_use use;
    pby_event_use_init(&use, &pby_family_gauss);
    mpq_mul(*z, *z, *z);
    pby_event_use_give(&use, "sigma2", *z);
    pby_event_use_give(&use, "sample", o->number[PROBABILITY]);
    pby_event_use_give(&use, "batch", o->number[BATCH]);
    pby_event_use_give(&use, "records", o->number[DATASET]);
    const pby_status status = pby_event_uses_add(out, &use, r->line, r->err);
    pby_event_use_clear(&use);
    return status;
}

/* ---- events around others ---------------------------------------------------------------------- */

static pby_status finish_inside(pby_event_uses *out, struct object *o, const struct reader *r)
{
    for (size_t i = 0; i < o->inside.count; i++)
        PBY_TRY(pby_event_uses_add(out, &o->inside.use[i], r->line, r->err));
    return PBY_OK;
}

static pby_status finish_repeated(pby_event_uses *out, struct object *o, const struct reader *r)
{
    if (!counts(o->number[COUNT], PBY_TIMES_MAX))
        return refuse(o, r, "a count from 1 to 1000000000");
    PBY_TRY(pby_event_uses_repeat(&o->inside, natural(o->number[COUNT]), r->line, r->err));
    return finish_inside(out, o, r);
}

/* Samples the one event inside, by the parameter of that name. Several mechanisms on one sample see the same
 * records: that is no list of sampled mechanisms. */
static pby_status sample_inside(struct object *o, const char *how, const mpq_t rate, const struct reader *r)
{
    if (is_one(rate) || o->inside.count == 0)
        return PBY_OK;
    pby_event_use *one = o->inside.use;
    if (o->inside.count > 1 || one->times > 1 || pby_event_use_has(one, "sample") ||
        pby_event_use_has(one, "fixed"))
        return refuse(o, r, "one event inside that adds noise, once, and is not sampled already");
    if (pby_family_find(one->family, how) == PBY_PARAMETERS_MAX)
        return refuse(o, r, "a Gaussian, Laplace or discrete Laplace event inside");
    pby_event_use_give(one, how, rate);
    return PBY_OK;
}

static pby_status finish_sampled(pby_event_uses *out, struct object *o, const struct reader *r)
{
    if (!is_rate(o->number[PROBABILITY]))
        return refuse(o, r, "a sampling_probability above 0, at most 1");
    PBY_TRY(sample_inside(o, "sample", o->number[PROBABILITY], r));
    return finish_inside(out, o, r);
}

static pby_status finish_fixed(pby_event_uses *out, struct object *o, const struct reader *r)
{
    mpq_t *rate = &o->number[SAMPLE];
    if (!counts(o->number[SOURCE], INT32_MAX) || !counts(*rate, natural(o->number[SOURCE])))
        return refuse(o, r, "a source_dataset_size from 1 to 2147483647, and a sample_size up to it");
    mpq_div(*rate, *rate, o->number[SOURCE]);
    PBY_TRY(sample_inside(o, "fixed", *rate, r));
    return finish_inside(out, o, r);
}

/* ---- classes ----------------------------------------------------------------------------------- */

#define BIT(field) (1u << (field))

static const struct class classes[] = {
    {"NoOpDpEvent", .finish = finish_inside},
    {"GaussianDpEvent", .has = BIT(MULTIPLIER), .finish = finish_gaussian},
    {"LaplaceDpEvent", .has = BIT(MULTIPLIER), .finish = finish_laplace},
    {"DiscreteLaplaceDpEvent", .has = BIT(PARAMETER) | BIT(SENSITIVITY), .finish = finish_discrete},
    {"RandomizedResponseDpEvent", .has = BIT(PARAMETER) | BIT(BUCKETS), .finish = finish_response},
    {"ZCDpEvent", .has = BIT(RHO), .may = BIT(XI), .finish = finish_zcdp},
    {"SingleEpochTreeAggregationDpEvent", .has = BIT(MULTIPLIER) | BIT(STEPS), .finish = finish_tree},
    {"PoissonSampledDpEvent", .has = BIT(PROBABILITY) | BIT(EVENT), .finish = finish_sampled},
    {"SampledWithoutReplacementDpEvent", .has = BIT(SOURCE) | BIT(SAMPLE) | BIT(EVENT),
     .finish = finish_fixed},
    {"TruncatedSubsampledGaussianDpEvent",
     .has = BIT(MULTIPLIER) | BIT(PROBABILITY) | BIT(DATASET) | BIT(BATCH), .finish = finish_truncated},
    {"SelfComposedDpEvent", .has = BIT(COUNT) | BIT(EVENT), .finish = finish_repeated},
    {"ComposedDpEvent", .has = BIT(EVENTS), .finish = finish_inside},
    {"NonPrivateDpEvent", .refused = "an event with some privacy: with this one delta is 1 at every epsilon"},
    {"UnsupportedDpEvent", .refused = "an event that stands for a mechanism"},
    {"SampledWithReplacementDpEvent",
     .refused = "another event: samples with replacement are not enclosed here"},
    {"RepeatAndSelectDpEvent", .refused = "another event: a repeated and selected one is not enclosed here"},
    {"MixtureOfGaussiansDpEvent", .refused = "another event: a mixture of Gaussians is not enclosed here"},
};

enum { CLASSES = sizeof classes / sizeof *classes };

static pby_status read_event(pby_event_uses *out, struct reader *r);

static pby_status read_class(struct object *o, struct reader *r)
{
    char name[WORD_SIZE];
    PBY_TRY(read_string(name, sizeof name, r, "the name of a class of events"));
    for (size_t i = 0; i < CLASSES; i++)
        if (strcmp(name, classes[i].name) == 0) {
            o->class = &classes[i];
            return o->class->finish != NULL ? PBY_OK : refuse(o, r, o->class->refused);
        }
    return pby_fail(r->err, PBY_BAD,
                    "line %zu: class_name '%s': expected a class of dp_accounting, such as GaussianDpEvent "
                    "(docs/events.md)",
                    r->line, name);
}

static pby_status read_events(pby_event_uses *out, struct reader *r)
{
    if (!take(r, '['))
        return expected(r, "a list of events, [...]");
    if (take(r, ']'))
        return PBY_OK;
    pby_status status = PBY_OK;
    do
        status = read_event(out, r);
    while (status == PBY_OK && take(r, ','));
    return status != PBY_OK || take(r, ']') ? status : expected(r, "',' or ']' behind an event");
}

static pby_status read_steps(mpq_t out, struct reader *r)
{
    static const char wanted[] = "step_counts from 1 to 2147483647, a number or a list of numbers";
    mpq_t one;
    if (!take(r, '[')) {
        PBY_TRY(read_number(out, r, fields[STEPS]));
        return counts(out, INT32_MAX) ? PBY_OK : expected(r, wanted);
    }
    pby_status status = PBY_OK;
    mpq_init(one);
    do {
        status = read_number(one, r, fields[STEPS]);
        if (status == PBY_OK && !counts(one, INT32_MAX))
            status = expected(r, wanted);
        if (status == PBY_OK && mpq_cmp(one, out) > 0)
            mpq_set(out, one);
    } while (status == PBY_OK && take(r, ','));
    mpq_clear(one);
    return status != PBY_OK || take(r, ']') ? status : expected(r, "',' or ']' behind a step count");
}

static pby_status refuse_field(const char *name, const struct reader *r)
{
    return pby_fail(r->err, PBY_BAD,
                    "line %zu: field '%s': expected a field of dp_accounting's events (docs/events.md)",
                    r->line, name);
}

static pby_status read_field(struct object *o, struct reader *r)
{
    char name[WORD_SIZE];
    PBY_TRY(read_string(name, sizeof name, r, "the name of a field"));
    enum field f = CLASS;
    while (f < FIELDS && strcmp(name, fields[f]) != 0)
        f++;
    if (f == FIELDS)
        return refuse_field(name, r);
    if ((o->seen & BIT(f)) != 0)
        return pby_fail(r->err, PBY_BAD, "line %zu: field '%s': expected it once", r->line, name);
    o->seen |= BIT(f);
    if (!take(r, ':'))
        return expected(r, "':' behind the name of a field");
    switch (f) {
    case CLASS:
        return read_class(o, r);
    case MODULE:
        return read_string(name, sizeof name, r, "the name of a module");
    case STEPS:
        return read_steps(o->number[STEPS], r);
    case EVENT:
        return read_event(&o->inside, r);
    case EVENTS:
        return read_events(&o->inside, r);
    default:
        return read_number(o->number[f], r, fields[f]);
    }
}

/* Refuses fields that the class has not, and the lack of those that it has. */
static pby_status check_fields(const struct object *o, const struct reader *r)
{
    if (o->class == NULL)
        return expected(r, "a class_name in every event");
    const unsigned given = o->seen & ~(BIT(CLASS) | BIT(MODULE) | o->class->may);
    for (enum field f = MULTIPLIER; f < FIELDS; f++)
        if ((given & BIT(f)) != (o->class->has & BIT(f)))
            return pby_fail(r->err, PBY_BAD, "line %zu: %s: expected %s field %s", r->line, o->class->name,
                            (given & BIT(f)) != 0 ? "no" : "the", fields[f]);
    return PBY_OK;
}

static pby_status read_fields(struct object *o, struct reader *r)
{
    if (!take(r, '{'))
        return expected(r, "an event, {...}");
    if (take(r, '}'))
        return PBY_OK;
    pby_status status = PBY_OK;
    do
        status = read_field(o, r);
    while (status == PBY_OK && take(r, ','));
    return status != PBY_OK || take(r, '}') ? status : expected(r, "',' or '}' behind a field");
}

static pby_status read_event(pby_event_uses *out, struct reader *r)
{
    struct object o = {.seen = 0};
    if (++r->depth > DEPTH_MAX)
        return expected(r, "events at most 64 deep");
    for (int f = 0; f < FIELDS; f++)
        mpq_init(o.number[f]);
    pby_status status = read_fields(&o, r);
    if (status == PBY_OK)
        status = check_fields(&o, r);
    if (status == PBY_OK)
        status = o.class->finish(out, &o, r);
    pby_event_uses_clear(&o.inside);
    for (int f = 0; f < FIELDS; f++)
        mpq_clear(o.number[f]);
    r->depth--;
    return status;
}

pby_status pby_spec_of_events(pby_spec **out, const char *text, size_t length, pby_error *err)
{
    struct reader r = {.at = text, .end = text + length, .line = 1, .err = err};
    pby_event_uses uses = {NULL, 0};
    *out = NULL;
    pby_status status = read_event(&uses, &r);
    if (status == PBY_OK && (peek(&r) != '\0' || r.at != r.end))
        status = expected(&r, "nothing behind the event");
    if (status == PBY_OK && uses.count == 0)
        status = expected(&r, "an event that adds noise: these release nothing");
    if (status == PBY_OK)
        status = pby_event_uses_spec(out, &uses, err);
    pby_event_uses_clear(&uses);
    return status;
}
