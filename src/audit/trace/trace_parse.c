/* SPDX-License-Identifier: MIT */
#include "audit/trace/trace_parse.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/json.h"
#include "number/scoped.h"
#include "probity/spec.h"

enum { TEXT_MAX = 4096, SHAPE_MAX = 32, LABELS_MAX = 65536 };

pby_status pby_trace_refuse(const pby_trace_line *line, const char *member, const char *expected)
{
    return pby_fail_by(line->err, PBY_BAD, PBY_REASON_INPUT, "%.200s: line %llu: %.60s: expected %s",
                       line->file, (unsigned long long)line->number, member, expected);
}

/* ---- members ----------------------------------------------------------------------------------- */

/* Refuses a member that is not among the names, which NULL ends. */
static pby_status check_members(const pby_trace_line *line, json_t *object, const char *const *names)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        size_t i = 0;
        while (names[i] != NULL && strcmp(names[i], key) != 0)
            i++;
        if (names[i] == NULL)
            return pby_trace_refuse(line, "a member", "one that a line of this kind has; one is unknown");
    }
    return PBY_OK;
}

static pby_status read_text(char **out, const pby_trace_line *line, const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    if (!json_is_string(value) || json_string_length(value) > TEXT_MAX)
        return pby_trace_refuse(line, name, "a text of at most 4096 bytes");
    *out = strdup(json_string_value(value));
    return *out == NULL ? pby_no_memory(line->err) : PBY_OK;
}

static pby_status read_index(size_t *out, const pby_trace_line *line, const json_t *object, const char *name,
                             size_t below, const char *expected)
{
    const json_t *value = json_object_get(object, name);
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        (uint64_t)json_integer_value(value) >= below)
        return pby_trace_refuse(line, name, expected);
    *out = (size_t)json_integer_value(value);
    return PBY_OK;
}

static pby_status read_number(pby_trace_number *out, const pby_trace_line *line, const json_t *value,
                              const char *name)
{
    return json_is_string(value) && pby_trace_number_parse(out, json_string_value(value))
               ? PBY_OK
               : pby_trace_refuse(line, name,
                                  "a number as a text: a rational, a decimal, 0x1.8p+1, nan, inf");
}

/* A number that may depend on noise without a value: null, in a probe. */
static pby_status read_probed(pby_trace_number *out, const pby_trace_line *line, const json_t *value,
                              const char *name, bool probe)
{
    if (!probe || !json_is_null(value))
        return read_number(out, line, value, name);
    out->kind = PBY_TRACE_NOISY;
    return PBY_OK;
}

static bool is_parameter(const pby_trace_number *x)
{
    return x->kind == PBY_TRACE_FINITE && mpq_sgn(x->q) >= 0;
}

/* A list of numbers; *out is for the run to free in any case. */
static pby_status read_numbers(pby_trace_number **out, size_t *count, const pby_trace_line *line,
                               const char *name, size_t most)
{
    const json_t *list = json_object_get(line->object, name);
    *count = json_array_size(list);
    if (!json_is_array(list) || *count == 0 || *count > most) {
        *count = 0;
        return pby_trace_refuse(line, name, "a list of numbers, as many as the elements");
    }
    *out = pby_trace_numbers_new(*count);
    if (*out == NULL) {
        *count = 0;
        return pby_no_memory(line->err);
    }
    for (size_t i = 0; i < *count; i++)
        PBY_TRY(read_number(&(*out)[i], line, json_array_get(list, i), name));
    return PBY_OK;
}

/* ---- a run ------------------------------------------------------------------------------------- */

static pby_status read_digest(char *out, const pby_trace_line *line, const char *name, bool nullable)
{
    const json_t *value = json_object_get(line->object, name);
    if (nullable && json_is_null(value))
        return PBY_OK;
    if (!json_is_string(value) || !pby_digest_is(json_string_value(value)))
        return pby_trace_refuse(line, name, "the SHA-256 in 64 hexadecimal digits");
    memcpy(out, json_string_value(value), 2 * crypto_hash_sha256_BYTES + 1);
    return PBY_OK;
}

pby_status pby_trace_parse_run(pby_trace_run *run, const pby_trace_line *line)
{
    static const char *const known[] = {"run",       "format", "version", "input_sha256",
                                        "replay_of", "probe",  NULL};
    size_t number = 0;
    PBY_TRY(check_members(line, line->object, known));
    if (strcmp(pby_json_string(line->object, "format"), "probity-trace") != 0)
        return pby_trace_refuse(line, "format", "probity-trace");
    if (json_integer_value(json_object_get(line->object, "version")) != 1)
        return pby_trace_refuse(line, "version", "1");
    PBY_TRY(read_index(&number, line, line->object, "run", PBY_TRACE_NUMBERS_MAX, "the number of the run"));
    PBY_TRY(read_digest(run->input, line, "input_sha256", false));
    PBY_TRY(read_digest(run->replay_of, line, "replay_of", true));
    const json_t *probe = json_object_get(line->object, "probe");
    if (probe != NULL && !json_is_boolean(probe))
        return pby_trace_refuse(line, "probe", "true or false");
    run->probe = json_is_true(probe);
    run->number = number;
    run->line = line->number;
    return PBY_OK;
}

/* ---- noise ------------------------------------------------------------------------------------- */

static pby_status add_event(pby_trace_run *run, const pby_trace_line *line, const char *name,
                            pby_trace_event event)
{
    size_t number = 0;
    PBY_TRY(read_index(&number, line, line->object, name, run->events_count + 1,
                       "the number of the event, counted from 0 in its run"));
    if (number != run->events_count)
        return pby_trace_refuse(line, name, "the number of the event, counted from 0 in its run");
    PBY_RESERVE(run->events, run->events_room, run->events_count + 1, line->err);
    run->events[run->events_count++] = event;
    return PBY_OK;
}

static pby_status new_noise(pby_trace_noise **out, pby_trace_run *run, const pby_trace_line *line)
{
    PBY_RESERVE(run->noise, run->noise_room, run->noise_count + 1, line->err);
    *out = &run->noise[run->noise_count++];
    **out = (pby_trace_noise){.seed = -1};
    pby_trace_number_init(&(*out)->declared);
    return read_text(&(*out)->site, line, line->object, "site");
}

static pby_status read_law(pby_trace_noise *n, const pby_trace_line *line)
{
    const char *name = pby_json_string(line->object, "law");
    for (int i = 0; i < PBY_TRACE_CHOICE; i++)
        if (strcmp(name, pby_trace_law_name[i]) == 0) {
            n->law = (pby_trace_law)i;
            return PBY_OK;
        }
    return pby_trace_refuse(line, "law", "laplace, gauss, geometric, dgauss or other");
}

/* The shape as a text, and the number of elements. */
static pby_status read_shape(pby_trace_noise *n, const pby_trace_line *line)
{
    json_t *shape = json_object_get(line->object, "shape"), *axis;
    size_t i;
    n->count = 1;
    if (!json_is_array(shape) || json_array_size(shape) > SHAPE_MAX)
        return pby_trace_refuse(line, "shape", "a list of at most 32 lengths");
    json_array_foreach(shape, i, axis)
    {
        const json_int_t length = json_integer_value(axis);
        if (!json_is_integer(axis) || length < 0 || length > PBY_TRACE_NUMBERS_MAX)
            return pby_trace_refuse(line, "shape", "lengths from 0 to 10000000");
        n->count *= (size_t)length;
        if (n->count > PBY_TRACE_NUMBERS_MAX)
            return pby_trace_refuse(line, "shape", "at most 10000000 elements");
    }
    n->shape = pby_json_text(json_incref(shape), JSON_COMPACT);
    return n->shape == NULL ? pby_no_memory(line->err) : PBY_OK;
}

static pby_status read_scale(pby_trace_noise *n, const pby_trace_line *line)
{
    const size_t most = n->count == 0 ? 1 : n->count;
    PBY_TRY(read_numbers(&n->scale, &n->scales, line, "scale", most));
    for (size_t i = 0; i < n->scales; i++) {
        if (!is_parameter(&n->scale[i]))
            return pby_trace_refuse(line, "scale", "finite numbers from 0 on");
        if (mpq_sgn(n->scale[i].q) == 0 && n->law != PBY_TRACE_LAPLACE && n->law != PBY_TRACE_GAUSS &&
            n->law != PBY_TRACE_OTHER)
            return pby_trace_refuse(line, "scale", "numbers above 0");
    }
    return n->scales == 1 || n->scales == n->count
               ? PBY_OK
               : pby_trace_refuse(line, "scale", "one number, or one for each element");
}

/* The seed of the generator that a draw came from, and the noise that this would have given. */
static pby_status read_seeded(pby_trace_noise *n, const pby_trace_run *run, const pby_trace_line *line)
{
    if (json_object_get(line->object, "seeded") == NULL)
        return json_object_get(line->object, "own") == NULL
                   ? PBY_OK
                   : pby_trace_refuse(line, "own", "it together with seeded");
    size_t event = 0, count = 0;
    PBY_TRY(read_index(&event, line, line->object, "seeded", run->events_count, "the number of a seed"));
    if (run->events[event].kind != PBY_TRACE_SEEDED)
        return pby_trace_refuse(line, "seeded", "the number of a seed");
    n->seed = (int64_t)run->events[event].index;
    if (json_object_get(line->object, "own") == NULL)
        return PBY_OK;
    pby_trace_number *own = NULL;
    const pby_status status = read_numbers(&own, &count, line, "own", n->count);
    if (status == PBY_OK && count == n->count) {
        n->own = own;
        return PBY_OK;
    }
    pby_trace_numbers_free(own, count);
    return status == PBY_OK ? pby_trace_refuse(line, "own", "a number for each element") : status;
}

static pby_status parse_draw(pby_trace_run *run, const pby_trace_line *line)
{
    static const char *const known[] = {"draw", "site", "law", "scale", "shape", "seeded", "own", NULL};
    pby_trace_noise *n = NULL;
    PBY_TRY(check_members(line, line->object, known));
    PBY_TRY(
        add_event(run, line, "draw", (pby_trace_event){.kind = PBY_TRACE_DRAWN, .noise = run->noise_count}));
    PBY_TRY(new_noise(&n, run, line));
    PBY_TRY(read_law(n, line));
    PBY_TRY(read_shape(n, line));
    PBY_TRY(read_scale(n, line));
    run->numbers += n->scales + 1;
    return read_seeded(n, run, line);
}

/* ---- sums -------------------------------------------------------------------------------------- */

static pby_status new_sum(pby_trace_sum **out, pby_trace_run *run, const char *site, pby_error *err)
{
    PBY_RESERVE(run->sums, run->sums_room, run->sums_count + 1, err);
    *out = &run->sums[run->sums_count++];
    **out = (pby_trace_sum){.site = site};
    pby_trace_number_init(&(*out)->factor);
    pby_trace_number_init(&(*out)->centre);
    pby_trace_number_init(&(*out)->value);
    run->numbers += 3;
    return PBY_OK;
}

/* The sums of n elements, whose centres and values the line lists. `elements` NULL: those of a call. */
static pby_status read_sums(pby_trace_run *run, size_t noise, const json_t *elements, const char *site,
                            const pby_trace_number *factor, const pby_trace_line *line)
{
    const json_t *centre = json_object_get(line->object, "centre"),
                 *value = json_object_get(line->object, "value");
    const size_t n = json_array_size(centre), count = run->noise[noise].count;
    if (!json_is_array(centre) || (elements != NULL && json_array_size(elements) != n))
        return pby_trace_refuse(line, "centre", "a list with a number for each element");
    if (run->probe ? value != NULL : json_array_size(value) != n)
        return pby_trace_refuse(line, "value", "a list with a number for each element, and none in a probe");
    for (size_t i = 0; i < n; i++) {
        pby_trace_sum *s = NULL;
        PBY_TRY(new_sum(&s, run, site, line->err));
        const json_t *element = elements == NULL ? NULL : json_array_get(elements, i);
        const json_int_t at = elements == NULL ? (json_int_t)i : json_integer_value(element);
        if ((elements != NULL && !json_is_integer(element)) || at < 0 || (uint64_t)at >= count)
            return pby_trace_refuse(line, "elements", "elements of the draw");
        s->noise = noise;
        s->element = (size_t)at;
        pby_trace_number_set(&s->factor, factor);
        PBY_TRY(read_probed(&s->centre, line, json_array_get(centre, i), "centre", run->probe));
        if (!run->probe)
            PBY_TRY(read_number(&s->value, line, json_array_get(value, i), "value"));
    }
    return PBY_OK;
}

static pby_status own_site(const char **out, pby_trace_run *run, const pby_trace_line *line)
{
    PBY_RESERVE(run->sites, run->sites_room, run->sites_count + 1, line->err);
    char *site = NULL;
    PBY_TRY(read_text(&site, line, line->object, "site"));
    run->sites[run->sites_count++] = site;
    *out = site;
    return PBY_OK;
}

static pby_status parse_factor(pby_trace_run *run, size_t noise, const char *site, const pby_trace_line *line)
{
    pby_trace_number factor;
    pby_trace_number_init(&factor);
    pby_status status = read_number(&factor, line, json_object_get(line->object, "factor"), "factor");
    if (status == PBY_OK && (factor.kind != PBY_TRACE_FINITE || mpq_sgn(factor.q) == 0))
        status = pby_trace_refuse(line, "factor", "a finite number other than 0");
    if (status == PBY_OK && !json_is_array(json_object_get(line->object, "elements")))
        status = pby_trace_refuse(line, "elements", "a list of elements of the draw");
    if (status == PBY_OK)
        status = read_sums(run, noise, json_object_get(line->object, "elements"), site, &factor, line);
    pby_trace_number_clear(&factor);
    return status;
}

static pby_status parse_sum(pby_trace_run *run, const pby_trace_line *line)
{
    static const char *const known[] = {"sum", "draw", "elements", "factor", "site", "centre", "value", NULL};
    size_t draw = 0;
    const char *site = NULL;
    PBY_TRY(check_members(line, line->object, known));
    PBY_TRY(read_index(&draw, line, line->object, "draw", run->events_count, "the number of a draw"));
    if (run->events[draw].kind != PBY_TRACE_DRAWN)
        return pby_trace_refuse(line, "draw", "the number of a draw");
    const size_t noise = run->events[draw].noise;
    if (run->noise[noise].law == PBY_TRACE_OTHER)
        return pby_trace_refuse(line, "draw", "noise of a known law");
    PBY_TRY(add_event(run, line, "sum",
                      (pby_trace_event){.kind = PBY_TRACE_SUMMED, .index = run->sums_count, .noise = noise}));
    PBY_TRY(own_site(&site, run, line));
    const size_t before = run->sums_count;
    PBY_TRY(parse_factor(run, noise, site, line));
    run->events[run->events_count - 1].count = run->sums_count - before;
    return PBY_OK;
}

/* ---- calls ------------------------------------------------------------------------------------- */

/* A guarantee is known by a SPEC alone, and has one element. */
static pby_status parse_guarantee(pby_trace_noise *n, const pby_trace_line *line)
{
    pby_spec *spec = NULL;
    n->law = PBY_TRACE_GUARANTEE;
    n->count = 1;
    PBY_TRY(read_text(&n->spec, line, line->object, "spec"));
    n->shape = strdup("[]");
    if (n->shape == NULL)
        return pby_no_memory(line->err);
    const pby_status status = pby_spec_parse(&spec, (const char *const *)&n->spec, 1, NULL);
    pby_spec_free(spec);
    return status == PBY_OK ? PBY_OK : pby_trace_refuse(line, "spec", "a SPEC such as pure:eps=1");
}

static pby_status parse_primitive(pby_trace_run *run, size_t noise, const pby_trace_line *line)
{
    pby_trace_noise *n = &run->noise[noise];
    pby_trace_number one;
    const json_t *declared = json_object_get(line->object, "declared");
    PBY_TRY(read_law(n, line));
    if (n->law == PBY_TRACE_OTHER)
        return pby_trace_refuse(line, "law", "laplace, gauss, geometric or dgauss");
    n->count = json_array_size(json_object_get(line->object, "centre"));
    if (n->count == 0 || n->count > PBY_TRACE_NUMBERS_MAX)
        return pby_trace_refuse(line, "centre", "a list of at most 10000000 numbers");
    char shape[32];
    snprintf(shape, sizeof shape, "[%zu]", n->count);
    n->shape = strdup(shape);
    if (n->shape == NULL)
        return pby_no_memory(line->err);
    PBY_TRY(read_scale(n, line));
    if (declared != NULL) {
        PBY_TRY(read_number(&n->declared, line, declared, "declared"));
        n->has_declared = true;
        if (!is_parameter(&n->declared))
            return pby_trace_refuse(line, "declared", "a finite number from 0 on");
    }
    pby_trace_number_init(&one);
    mpq_set_ui(one.q, 1, 1);
    const pby_status status = read_sums(run, noise, NULL, n->site, &one, line);
    pby_trace_number_clear(&one);
    return status;
}

static pby_status parse_call(pby_trace_run *run, const pby_trace_line *line)
{
    static const char *const known[] = {"call",     "site",   "name",  "law",  "scale",
                                        "declared", "centre", "value", "spec", NULL};
    pby_trace_noise *n = NULL;
    const size_t noise = run->noise_count, before = run->sums_count;
    PBY_TRY(check_members(line, line->object, known));
    PBY_TRY(add_event(run, line, "call",
                      (pby_trace_event){.kind = PBY_TRACE_CALLED, .index = before, .noise = noise}));
    PBY_TRY(new_noise(&n, run, line));
    if (strcmp(pby_json_string(line->object, "law"), "guarantee") == 0)
        return parse_guarantee(n, line);
    PBY_TRY(parse_primitive(run, noise, line));
    run->numbers += n->scales;
    run->events[run->events_count - 1].count = run->sums_count - before;
    return PBY_OK;
}

/* ---- choices ----------------------------------------------------------------------------------- */

static pby_status read_chances(pby_trace_noise *n, const pby_trace_line *line)
{
    PBY_MPQ(sum);
    PBY_TRY(read_numbers(&n->p, &n->labels_count, line, "p", LABELS_MAX));
    for (size_t i = 0; i < n->labels_count; i++) {
        if (!is_parameter(&n->p[i]))
            return pby_trace_refuse(line, "p", "finite numbers from 0 on");
        mpq_add(sum, sum, n->p[i].q);
    }
    return mpq_sgn(sum) > 0 ? PBY_OK : pby_trace_refuse(line, "p", "numbers whose sum is above 0");
}

static pby_status parse_choice(pby_trace_run *run, const pby_trace_line *line)
{
    static const char *const known[] = {"choice", "site", "p", "labels", "value", "seeded", "own", NULL};
    const json_t *labels = json_object_get(line->object, "labels");
    pby_trace_noise *n = NULL;
    PBY_TRY(check_members(line, line->object, known));
    PBY_TRY(add_event(run, line, "choice",
                      (pby_trace_event){.kind = PBY_TRACE_CHOSEN, .noise = run->noise_count}));
    PBY_TRY(new_noise(&n, run, line));
    n->law = PBY_TRACE_CHOICE;
    n->count = 1;
    PBY_TRY(read_chances(n, line));
    if (json_array_size(labels) != n->labels_count)
        return pby_trace_refuse(line, "labels", "a list of texts, as many as p");
    n->labels = calloc(n->labels_count, sizeof *n->labels);
    n->shape = strdup("[]");
    if (n->labels == NULL || n->shape == NULL)
        return pby_no_memory(line->err);
    for (size_t i = 0; i < n->labels_count; i++) {
        const char *label = json_string_value(json_array_get(labels, i));
        if (label == NULL)
            return pby_trace_refuse(line, "labels", "a list of texts, as many as p");
        n->labels[i] = strdup(label);
        if (n->labels[i] == NULL)
            return pby_no_memory(line->err);
    }
    run->numbers += n->labels_count;
    PBY_TRY(read_seeded(n, run, line));
    return read_index(&n->chosen, line, line->object, "value", n->labels_count, "the index of a label");
}

/* ---- open and seed ----------------------------------------------------------------------------- */

static pby_status parse_open(pby_trace_run *run, const pby_trace_line *line)
{
    static const char *const known[] = {"open", "draw", "element", "site", "by", NULL};
    size_t draw = 0;
    pby_trace_open o = {.noise = 0};
    PBY_TRY(check_members(line, line->object, known));
    PBY_TRY(read_index(&draw, line, line->object, "draw", run->events_count, "the number of a draw"));
    if (run->events[draw].kind != PBY_TRACE_DRAWN)
        return pby_trace_refuse(line, "draw", "the number of a draw");
    o.noise = run->events[draw].noise;
    PBY_TRY(read_index(&o.element, line, line->object, "element", run->noise[o.noise].count,
                       "an element of the draw"));
    PBY_RESERVE(run->opens, run->opens_room, run->opens_count + 1, line->err);
    PBY_TRY(
        add_event(run, line, "open", (pby_trace_event){.kind = PBY_TRACE_OPENED, .index = run->opens_count}));
    pby_trace_open *kept = &run->opens[run->opens_count++];
    *kept = o;
    PBY_TRY(read_text(&kept->site, line, line->object, "site"));
    return read_text(&kept->by, line, line->object, "by");
}

static pby_status parse_seed(pby_trace_run *run, const pby_trace_line *line)
{
    static const char *const known[] = {"seed", "site", "value", "same", NULL};
    const json_t *value = json_object_get(line->object, "value"),
                 *same = json_object_get(line->object, "same");
    PBY_TRY(check_members(line, line->object, known));
    if (!json_is_string(value) && !json_is_null(value))
        return pby_trace_refuse(line, "value", "the literal in the source as a text, or null");
    if (same != NULL && !json_is_boolean(same))
        return pby_trace_refuse(line, "same", "true or false");
    PBY_RESERVE(run->seeds, run->seeds_room, run->seeds_count + 1, line->err);
    PBY_TRY(
        add_event(run, line, "seed", (pby_trace_event){.kind = PBY_TRACE_SEEDED, .index = run->seeds_count}));
    pby_trace_seed *seed = &run->seeds[run->seeds_count++];
    *seed = (pby_trace_seed){.literal = json_is_string(value), .same = json_is_true(same)};
    return read_text(&seed->site, line, line->object, "site");
}

/* ---- the output -------------------------------------------------------------------------------- */

/* The sum that a coordinate is made of. */
static pby_status read_of(pby_trace_output *o, const pby_trace_run *run, const json_t *object,
                          const pby_trace_line *line)
{
    size_t event = 0, element = 0;
    PBY_TRY(read_index(&event, line, object, "of", run->events_count, "the number of a sum or a call"));
    const pby_trace_event *e = &run->events[event];
    if ((e->kind != PBY_TRACE_SUMMED && e->kind != PBY_TRACE_CALLED) || e->count == 0)
        return pby_trace_refuse(line, "of", "the number of a sum or a call");
    PBY_TRY(read_index(&element, line, object, "element", e->count, "a place in the list of the sum"));
    PBY_TRY(read_probed(&o->a, line, json_object_get(object, "a"), "a", run->probe));
    PBY_TRY(read_probed(&o->b, line, json_object_get(object, "b"), "b", run->probe));
    if (o->a.kind == PBY_TRACE_INFINITE || o->a.kind == PBY_TRACE_NAN)
        return pby_trace_refuse(line, "a", "a finite number");
    o->sum = (int64_t)(e->index + element);
    return PBY_OK;
}

static pby_status parse_coordinate(pby_trace_run *run, json_t *object, const pby_trace_line *line)
{
    static const char *const known[] = {"path", "value", "text", "of", "element", "a", "b", NULL};
    if (!json_is_object(object))
        return pby_trace_refuse(line, "output", "a list of objects");
    PBY_TRY(check_members(line, object, known));
    PBY_RESERVE(run->outputs, run->outputs_room, run->outputs_count + 1, line->err);
    pby_trace_output *o = &run->outputs[run->outputs_count++];
    *o = (pby_trace_output){.sum = -1};
    pby_trace_number_init(&o->value);
    pby_trace_number_init(&o->a);
    pby_trace_number_init(&o->b);
    run->numbers += 3;
    const json_t *value = json_object_get(object, "value");
    const bool of = json_object_get(object, "of") != NULL, text = json_object_get(object, "text") != NULL;
    PBY_TRY(read_text(&o->path, line, object, "path"));
    if (text)
        PBY_TRY(read_text(&o->text, line, object, "text"));
    if (value != NULL)
        PBY_TRY(read_number(&o->value, line, value, "value"));
    if (of)
        PBY_TRY(read_of(o, run, object, line));
    const bool good = text ? value == NULL && !of : run->probe && of ? value == NULL : value != NULL;
    if (!text && value == NULL)
        o->value.kind = PBY_TRACE_NOISY;
    return good ? PBY_OK : pby_trace_refuse(line, "output", "a value or a text at each path");
}

static pby_status parse_output(pby_trace_run *run, const pby_trace_line *line)
{
    static const char *const known[] = {"output", "error", NULL};
    json_t *list = json_object_get(line->object, "output"), *coordinate,
           *error = json_object_get(line->object, "error");
    size_t i;
    PBY_TRY(check_members(line, line->object, known));
    if (!json_is_array(list))
        return pby_trace_refuse(line, "output", "a list of objects");
    json_array_foreach(list, i, coordinate) PBY_TRY(parse_coordinate(run, coordinate, line));
    return error == NULL || json_is_null(error) ? PBY_OK
                                                : read_text(&run->error, line, line->object, "error");
}

/* ---- lines ------------------------------------------------------------------------------------- */

pby_status pby_trace_parse_event(pby_trace_run *run, bool *ended, const pby_trace_line *line)
{
    static const struct {
        const char *name;
        pby_status (*parse)(pby_trace_run *, const pby_trace_line *);
    } kinds[] = {{"draw", parse_draw}, {"sum", parse_sum},   {"choice", parse_choice}, {"call", parse_call},
                 {"open", parse_open}, {"seed", parse_seed}, {"output", parse_output}};
    /* a sum and an open have a draw too: the name of their own kind comes first */
    static const int order[] = {1, 2, 3, 4, 5, 6, 0};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (json_object_get(line->object, kinds[order[i]].name) != NULL) {
            *ended = kinds[order[i]].parse == parse_output;
            return kinds[order[i]].parse(run, line);
        }
    return pby_trace_refuse(line, "the line", "a draw, sum, choice, call, open, seed or output");
}
