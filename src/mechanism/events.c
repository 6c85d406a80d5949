/* SPDX-License-Identifier: MIT */
#include "mechanism/events.h"

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "mechanism/family.h"
#include "number/scoped.h"
#include "probity/rational.h"

enum { DEPTH_MAX = 64, USES_MAX = 1024, WORD_SIZE = 64, NUMBER_SIZE = 4200 };

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

/* ---- uses ------------------------------------------------------------------------------------- */

/* Noise in multiples of the sensitivity, so many times. */
struct noise {
    bool laplace;
    mpq_t multiplier, rate;
    uint64_t times, batch, records; /* the latter two 0 where no sample is truncated */
};

struct uses {
    struct noise *noise;
    size_t count;
};

static void uses_clear(struct uses *u)
{
    for (size_t i = 0; i < u->count; i++)
        mpq_clears(u->noise[i].multiplier, u->noise[i].rate, (mpq_ptr)0);
    free(u->noise);
    *u = (struct uses){NULL, 0};
}

static bool same(const struct noise *a, const struct noise *b)
{
    return a->laplace == b->laplace && mpq_equal(a->multiplier, b->multiplier) &&
           mpq_equal(a->rate, b->rate) && a->batch == b->batch && a->records == b->records;
}

static pby_status count_times(uint64_t *times, uint64_t more, bool multiply, const struct reader *r)
{
    const bool fits = multiply ? more <= PBY_TIMES_MAX / *times : more <= PBY_TIMES_MAX - *times;
    if (!fits)
        return expected(r, "at most 1000000000 uses of one mechanism together");
    *times = multiply ? *times * more : *times + more;
    return PBY_OK;
}

/* Adds a use to the list, to an equal one where there is one. */
static pby_status add_use(struct uses *u, const struct noise *noise, const struct reader *r)
{
    for (size_t i = 0; i < u->count; i++)
        if (same(&u->noise[i], noise))
            return count_times(&u->noise[i].times, noise->times, false, r);
    if (u->count == USES_MAX)
        return expected(r, "at most 1024 different mechanisms");
    struct noise *all = realloc(u->noise, (u->count + 1) * sizeof *all);
    if (all == NULL)
        return pby_no_memory(r->err);
    u->noise = all;
    struct noise *last = &all[u->count++];
    *last = (struct noise){
        .laplace = noise->laplace, .times = noise->times, .batch = noise->batch, .records = noise->records};
    mpq_inits(last->multiplier, last->rate, (mpq_ptr)0);
    mpq_set(last->multiplier, noise->multiplier);
    mpq_set(last->rate, noise->rate);
    return PBY_OK;
}

/* ---- events ----------------------------------------------------------------------------------- */

enum class { NOOP, GAUSSIAN, LAPLACE, SAMPLED, TRUNCATED, SELF_COMPOSED, COMPOSED, CLASSES };
enum field { CLASS, MODULE, MULTIPLIER, PROBABILITY, COUNT, DATASET, BATCH, EVENT, EVENTS, FIELDS };

static const char *const classes[] = {[NOOP] = "NoOpDpEvent",
                                      [GAUSSIAN] = "GaussianDpEvent",
                                      [LAPLACE] = "LaplaceDpEvent",
                                      [SAMPLED] = "PoissonSampledDpEvent",
                                      [TRUNCATED] = "TruncatedSubsampledGaussianDpEvent",
                                      [SELF_COMPOSED] = "SelfComposedDpEvent",
                                      [COMPOSED] = "ComposedDpEvent"};

static const char *const fields[] = {[CLASS] = "class_name",
                                     [MODULE] = "module_name",
                                     [MULTIPLIER] = "noise_multiplier",
                                     [PROBABILITY] = "sampling_probability",
                                     [COUNT] = "count",
                                     [DATASET] = "dataset_size",
                                     [BATCH] = "truncated_batch_size",
                                     [EVENT] = "event",
                                     [EVENTS] = "events"};

/* The fields that a class has beside its name and its module. */
static const unsigned has[] = {[NOOP] = 0,
                               [GAUSSIAN] = 1 << MULTIPLIER,
                               [LAPLACE] = 1 << MULTIPLIER,
                               [SAMPLED] = 1 << PROBABILITY | 1 << EVENT,
                               [TRUNCATED] = 1 << MULTIPLIER | 1 << PROBABILITY | 1 << DATASET | 1 << BATCH,
                               [SELF_COMPOSED] = 1 << COUNT | 1 << EVENT,
                               [COMPOSED] = 1 << EVENTS};

/* The contents of one object: its fields in any order, and the uses of the events inside. */
struct object {
    unsigned seen;
    enum class class;
    mpq_t number[FIELDS]; /* of the fields that are numbers */
    struct uses inside;
};

static pby_status read_event(struct uses *out, struct reader *r);

static pby_status read_class(struct object *o, struct reader *r)
{
    char name[WORD_SIZE];
    const pby_status status = read_string(name, sizeof name, r, "the name of a class of events");
    if (status != PBY_OK)
        return status;
    for (o->class = NOOP; o->class < CLASSES; o->class ++)
        if (strcmp(name, classes[o->class]) == 0)
            return PBY_OK;
    return pby_fail(r->err, PBY_BAD,
                    "line %zu: class_name '%s': expected NoOpDpEvent, GaussianDpEvent, LaplaceDpEvent, "
                    "PoissonSampledDpEvent, TruncatedSubsampledGaussianDpEvent, SelfComposedDpEvent or "
                    "ComposedDpEvent",
                    r->line, name);
}

static pby_status read_events(struct uses *out, struct reader *r)
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

static pby_status read_field(struct object *o, struct reader *r)
{
    char name[WORD_SIZE];
    pby_status status = read_string(name, sizeof name, r, "the name of a field");
    if (status != PBY_OK)
        return status;
    enum field f = CLASS;
    while (f < FIELDS && strcmp(name, fields[f]) != 0)
        f++;
    if (f == FIELDS)
        return pby_fail(r->err, PBY_BAD,
                        "line %zu: field '%s': expected class_name, module_name, noise_multiplier, "
                        "sampling_probability, count, dataset_size, truncated_batch_size, event or events",
                        r->line, name);
    if (o->seen >> f & 1)
        return pby_fail(r->err, PBY_BAD, "line %zu: field '%s': expected it once", r->line, name);
    o->seen |= 1u << f;
    if (!take(r, ':'))
        return expected(r, "':' behind the name of a field");
    switch (f) {
    case CLASS:
        return read_class(o, r);
    case MODULE:
        return read_string(name, sizeof name, r, "the name of a module");
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
    if ((o->seen >> CLASS & 1) == 0)
        return expected(r, "a class_name in every event");
    const unsigned given = o->seen & ~(1u << CLASS | 1u << MODULE);
    for (enum field f = MULTIPLIER; f < FIELDS; f++)
        if ((given >> f & 1) != (has[o->class] >> f & 1))
            return pby_fail(r->err, PBY_BAD, "line %zu: %s: expected %s field %s", r->line, classes[o->class],
                            given >> f & 1 ? "no" : "the", fields[f]);
    return PBY_OK;
}

static pby_status refuse_number(const struct object *o, const struct reader *r, const char *what)
{
    return pby_fail(r->err, PBY_BAD, "line %zu: %s: expected %s", r->line, classes[o->class], what);
}

static bool is_rate(const mpq_t x)
{
    return mpq_sgn(x) > 0 && mpq_cmp_ui(x, 1, 1) <= 0;
}

/* True if x is an integer from 1 to `most`. */
static bool counts(const mpq_t x, unsigned long most)
{
    return mpz_cmp_ui(mpq_denref(x), 1) == 0 && mpq_sgn(x) > 0 && mpq_cmp_ui(x, most, 1) <= 0;
}

static pby_status check_truncated(const struct object *o, const struct reader *r)
{
    if (!is_rate(o->number[PROBABILITY]))
        return refuse_number(o, r, "a sampling_probability above 0, at most 1");
    if (mpq_cmp_ui(o->number[PROBABILITY], 1, 1) == 0)
        return refuse_number(o, r, "a sampling_probability below 1: all records are no sample");
    return counts(o->number[DATASET], INT32_MAX) && counts(o->number[BATCH], INT32_MAX)
               ? PBY_OK
               : refuse_number(o, r, "a dataset_size and a truncated_batch_size from 1 to 2147483647");
}

static pby_status add_noise(struct uses *out, const struct object *o, const struct reader *r)
{
    if (mpq_sgn(o->number[MULTIPLIER]) <= 0)
        return refuse_number(o, r, "a noise_multiplier above 0");
    struct noise noise = {.laplace = o->class == LAPLACE, .times = 1};
    mpq_inits(noise.multiplier, noise.rate, (mpq_ptr)0);
    mpq_set(noise.multiplier, o->number[MULTIPLIER]);
    mpq_set_ui(noise.rate, 1, 1);
    if (o->class == TRUNCATED) {
        mpq_set(noise.rate, o->number[PROBABILITY]);
        noise.batch = mpz_get_ui(mpq_numref(o->number[BATCH]));
        noise.records = mpz_get_ui(mpq_numref(o->number[DATASET]));
    }
    const pby_status status = add_use(out, &noise, r);
    mpq_clears(noise.multiplier, noise.rate, (mpq_ptr)0);
    return status;
}

/* Several mechanisms on one sample see the same records: that is no list of sampled mechanisms. */
static pby_status sample(struct object *o, const struct reader *r)
{
    if (!is_rate(o->number[PROBABILITY]))
        return refuse_number(o, r, "a sampling_probability above 0, at most 1");
    if (mpq_cmp_ui(o->number[PROBABILITY], 1, 1) == 0 || o->inside.count == 0)
        return PBY_OK;
    struct noise *one = o->inside.noise;
    if (o->inside.count > 1 || one->times > 1 || mpq_cmp_ui(one->rate, 1, 1) != 0)
        return refuse_number(o, r, "one Gaussian or Laplace event inside, which is not sampled already");
    mpq_set(one->rate, o->number[PROBABILITY]);
    return PBY_OK;
}

static pby_status repeat(struct object *o, const struct reader *r)
{
    if (!counts(o->number[COUNT], PBY_TIMES_MAX))
        return refuse_number(o, r, "a count from 1 to 1000000000");
    for (size_t i = 0; i < o->inside.count; i++)
        PBY_TRY(count_times(&o->inside.noise[i].times, mpz_get_ui(mpq_numref(o->number[COUNT])), true, r));
    return PBY_OK;
}

static pby_status finish(struct uses *out, struct object *o, const struct reader *r)
{
    pby_status status = check_fields(o, r);
    if (status == PBY_OK && o->class == TRUNCATED)
        status = check_truncated(o, r);
    if (status == PBY_OK && (o->class == GAUSSIAN || o->class == LAPLACE || o->class == TRUNCATED))
        return add_noise(out, o, r);
    if (status == PBY_OK && o->class == SAMPLED)
        status = sample(o, r);
    if (status == PBY_OK && o->class == SELF_COMPOSED)
        status = repeat(o, r);
    for (size_t i = 0; i < o->inside.count && status == PBY_OK; i++)
        status = add_use(out, &o->inside.noise[i], r);
    return status;
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

static pby_status read_event(struct uses *out, struct reader *r)
{
    struct object o = {.seen = 0};
    if (++r->depth > DEPTH_MAX)
        return expected(r, "events at most 64 deep");
    for (int f = 0; f < FIELDS; f++)
        mpq_init(o.number[f]);
    pby_status status = read_fields(&o, r);
    if (status == PBY_OK)
        status = finish(out, &o, r);
    uses_clear(&o.inside);
    for (int f = 0; f < FIELDS; f++)
        mpq_clear(o.number[f]);
    r->depth--;
    return status;
}

/* ---- the spec --------------------------------------------------------------------------------- */

/* The multiplier is the scale of Laplace noise, and the root of sigma2. */
static pby_status mechanism_of(pby_mechanism *m, const struct noise *n, pby_error *err)
{
    unsigned given = 0;
    PBY_FMPQ(value);
    fmpq_set_mpq(value, n->multiplier);
    if (!n->laplace)
        fmpq_mul(value, value, value);
    pby_status status = pby_mechanism_give(m, &given, n->laplace ? "scale" : "sigma2", value, err);
    fmpq_set_mpq(value, n->rate);
    if (status == PBY_OK)
        status = pby_mechanism_give(m, &given, "sample", value, err);
    if (status == PBY_OK && n->batch > 0) {
        fmpq_set_ui(value, n->batch, 1);
        status = pby_mechanism_give(m, &given, "batch", value, err);
        fmpq_set_ui(value, n->records, 1);
        if (status == PBY_OK)
            status = pby_mechanism_give(m, &given, "records", value, err);
    }
    return status == PBY_OK ? pby_mechanism_complete(m, given, err) : status;
}

static pby_status spec_of_uses(pby_spec **out, const struct uses *u, pby_error *err)
{
    pby_use *use = calloc(u->count, sizeof *use);
    if (use == NULL)
        return pby_no_memory(err);
    pby_status status = PBY_OK;
    for (size_t i = 0; i < u->count; i++) {
        use[i].times = u->noise[i].times;
        pby_mechanism_init(&use[i].mechanism, u->noise[i].laplace ? &pby_family_laplace : &pby_family_gauss);
        if (status == PBY_OK)
            status = mechanism_of(&use[i].mechanism, &u->noise[i], err);
    }
    if (status == PBY_OK)
        status = pby_spec_of_uses(out, use, u->count, err);
    for (size_t i = 0; i < u->count; i++)
        pby_mechanism_clear(&use[i].mechanism);
    free(use);
    return status;
}

pby_status pby_spec_of_events(pby_spec **out, const char *text, size_t length, pby_error *err)
{
    struct reader r = {.at = text, .end = text + length, .line = 1, .err = err};
    struct uses uses = {NULL, 0};
    *out = NULL;
    pby_status status = read_event(&uses, &r);
    if (status == PBY_OK && (peek(&r) != '\0' || r.at != r.end))
        status = expected(&r, "nothing behind the event");
    if (status == PBY_OK && uses.count == 0)
        status = expected(&r, "an event that adds noise: these release nothing");
    if (status == PBY_OK)
        status = spec_of_uses(out, &uses, err);
    uses_clear(&uses);
    return status;
}
