/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/excerpt.h"
#include "base/json.h"
#include "base/readable.h"
#include "deployment/deployment_members.h"
#include "mechanism/family.h"
#include "number/integer.h"
#include "probity/loss.h"
#include "probity/rational.h"

enum { NAME_LENGTH = 64 };

static const char *const kinds[] = {"pure", "approx", "zcdp", "renyi", "gdp", NULL};

const char *pby_claim_kind_text(pby_claim_kind kind)
{
    return kinds[kind];
}

/* ---- names ------------------------------------------------------------------------------------ */

static bool is_name(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    const size_t n = strlen(text);
    return n >= 1 && n <= NAME_LENGTH && strspn(text, letters) == n && text[0] != '-';
}

static pby_status read_name(const char **out, const json_t *object, const char *within, pby_error *err)
{
    *out = json_string_value(json_object_get(object, "name"));
    return *out != NULL && is_name(*out)
               ? PBY_OK
               : pby_deployment_refuse(err, within, "name", json_object_get(object, "name"),
                                       "small letters, digits and hyphens, at most 64");
}

/* The place of a name among the entries of a list, or its length. */
static size_t find(const json_t *list, const char *name)
{
    size_t i = 0;
    while (i < json_array_size(list) && strcmp(pby_json_string(json_array_get(list, i), "name"), name) != 0)
        i++;
    return i;
}

static pby_status read_places(pby_places *out, const json_t *object, const char *within, const char *name,
                              const json_t *among, const char *what, pby_error *err)
{
    const json_t *value = json_object_get(object, name);
    const bool single = json_is_string(value);
    const size_t count = single ? 1 : json_array_size(value);
    char expected[48];
    snprintf(expected, sizeof expected, "names of %s", what);
    *out = (pby_places){.given = value != NULL};
    if (value == NULL)
        return PBY_OK;
    if ((!single && !json_is_array(value)) || count == 0 || count > PBY_DEPLOYMENT_LIST_MAX)
        return pby_deployment_refuse(err, within, name, value, expected);
    out->at = calloc(count, sizeof *out->at);
    if (out->at == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < count; i++) {
        const json_t *one = single ? value : json_array_get(value, i);
        const char *text = json_string_value(one);
        const size_t at = text == NULL ? json_array_size(among) : find(among, text);
        bool again = at == json_array_size(among);
        for (size_t k = 0; k < i; k++)
            again = again || out->at[k] == at;
        if (again)
            return pby_deployment_refuse(err, within, name, one, expected);
        out->at[i] = at;
        out->count = i + 1;
    }
    return PBY_OK;
}

/* A list of objects with names of their own. */
static pby_status check_list(const json_t **out, const json_t *root, const char *name, pby_error *err)
{
    const json_t *list = *out = json_object_get(root, name);
    if (list != NULL && (!json_is_array(list) || json_array_size(list) > PBY_DEPLOYMENT_LIST_MAX))
        return pby_deployment_refuse(err, "", name, list, "a list of at most 256 objects");
    for (size_t i = 0; i < json_array_size(list); i++) {
        char within[PBY_PLACE_SIZE];
        const char *text;
        snprintf(within, sizeof within, "%s[%zu]", name, i);
        if (!json_is_object(json_array_get(list, i)))
            return pby_deployment_refuse(err, "", within, json_array_get(list, i), "an object");
        PBY_TRY(read_name(&text, json_array_get(list, i), within, err));
        if (find(list, text) < i)
            return pby_deployment_refuse(err, within, "name",
                                         json_object_get(json_array_get(list, i), "name"),
                                         "a name that no other has");
    }
    return PBY_OK;
}

/* ---- mechanisms ------------------------------------------------------------------------------- */

static pby_status read_bounds(pby_contribution *b, const json_t *entry, const char *within, pby_error *err)
{
    static const char *const known[] = {"groups", "per_group", "contributions", "value", "enforced", NULL};
    const json_t *object = json_object_get(entry, "bounds");
    char at[PBY_PLACE_SIZE];
    bool given;
    pby_deployment_place(at, within, "bounds");
    b->given = object != NULL;
    b->enforced = true;
    if (object == NULL)
        return PBY_OK;
    if (!json_is_object(object))
        return pby_deployment_refuse(err, within, "bounds", object, "an object");
    PBY_TRY(pby_deployment_only(object, at, known, err));
    PBY_TRY(pby_deployment_number(&b->groups, object, at, "groups", PBY_STATED_WHOLE, err));
    PBY_TRY(pby_deployment_number(&b->per_group, object, at, "per_group", PBY_STATED_WHOLE, err));
    PBY_TRY(pby_deployment_number(&b->total, object, at, "contributions", PBY_STATED_WHOLE, err));
    PBY_TRY(pby_deployment_number(&b->value, object, at, "value", PBY_STATED_ABOVE_ZERO, err));
    return pby_deployment_flag(&b->enforced, &given, object, at, "enforced", err);
}

static pby_status read_spec(pby_spec **out, const json_t *entry, const char *within, pby_error *err)
{
    pby_error why = PBY_NO_ERROR;
    const char *text;
    PBY_TRY(pby_deployment_text(&text, entry, within, "spec", err));
    if (text == NULL)
        return PBY_OK;
    const pby_status status = pby_spec_parse(out, &text, 1, &why);
    return status == PBY_OK ? PBY_OK : pby_fail(err, status, "%s.spec: %.400s", within, why.text);
}

static pby_status read_mechanism(pby_deployed *m, const json_t *entry, size_t i, const json_t *claims,
                                 pby_error *err)
{
    static const char *const known[] = {"name", "spec",   "times",  "law", "bounds",
                                        "from", "source", "reason", NULL};
    char within[PBY_PLACE_SIZE];
    const char *text;
    snprintf(within, sizeof within, "mechanisms[%zu]", i);
    PBY_TRY(pby_deployment_only(entry, within, known, err));
    m->name = pby_json_string(entry, "name");
    PBY_TRY(pby_deployment_text(&m->law, entry, within, "law", err));
    PBY_TRY(pby_deployment_text(&text, entry, within, "source", err));
    PBY_TRY(pby_deployment_text(&text, entry, within, "reason", err));
    PBY_TRY(read_spec(&m->spec, entry, within, err));
    PBY_TRY(pby_deployment_count(&m->times, 1, entry, within, "times", err));
    PBY_TRY(read_bounds(&m->bounds, entry, within, err));
    return read_places(&m->from, entry, within, "from", claims, "claims", err);
}

/* ---- claims ----------------------------------------------------------------------------------- */

pby_stated_number *pby_claim_number(pby_deployment_claim *claim)
{
    return claim->kind == PBY_CLAIM_ZCDP  ? &claim->rho
           : claim->kind == PBY_CLAIM_GDP ? &claim->mu
                                          : &claim->epsilon;
}

/* The numbers that each kind has, and those that it may have. */
static pby_status read_numbers(pby_deployment_claim *c, const json_t *entry, const char *within,
                               pby_error *err)
{
    static const char *const needed[][2] = {
        {"epsilon", NULL}, {"epsilon", "delta"}, {"rho", NULL}, {"order", "epsilon"}, {"mu", NULL}};
    static const char *const all[] = {"epsilon", "delta", "rho", "xi", "order", "mu"};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const bool has = json_object_get(entry, all[k]) != NULL;
        const bool needs = strcmp(all[k], needed[c->kind][0]) == 0 ||
                           (needed[c->kind][1] != NULL && strcmp(all[k], needed[c->kind][1]) == 0);
        const bool may = needs || (c->kind == PBY_CLAIM_ZCDP && strcmp(all[k], "xi") == 0);
        if (needs && !has)
            return pby_deployment_refuse(err, within, all[k], NULL, "it, as the kind has it");
        if (has && !may)
            return pby_deployment_refuse(err, within, all[k], json_object_get(entry, all[k]),
                                         "none, as the kind has none");
    }
    PBY_TRY(pby_deployment_number(&c->epsilon, entry, within, "epsilon",
                                  c->kind == PBY_CLAIM_APPROX ? PBY_STATED_FROM_ZERO : PBY_STATED_ABOVE_ZERO,
                                  err));
    PBY_TRY(pby_deployment_number(&c->delta, entry, within, "delta", PBY_STATED_BELOW_ONE, err));
    PBY_TRY(pby_deployment_number(&c->rho, entry, within, "rho", PBY_STATED_ABOVE_ZERO, err));
    PBY_TRY(pby_deployment_number(&c->xi, entry, within, "xi", PBY_STATED_FROM_ZERO, err));
    PBY_TRY(pby_deployment_number(&c->order, entry, within, "order", PBY_STATED_ABOVE_ONE, err));
    return pby_deployment_number(&c->mu, entry, within, "mu", PBY_STATED_ABOVE_ZERO, err);
}

static pby_status read_conversion(const char **by, const json_t *entry, const char *within, pby_error *err)
{
    PBY_TRY(pby_deployment_text(by, entry, within, "by", err));
    for (const pby_conversion *c = pby_conversions; c->name != NULL && *by != NULL; c++)
        if (strcmp(c->name, *by) == 0)
            return PBY_OK;
    return *by == NULL ? PBY_OK
                       : pby_deployment_refuse(err, within, "by", json_object_get(entry, "by"),
                                               "a conversion of probity loss --conversion");
}

static pby_status read_claim(pby_deployment_claim *c, const json_t *entry, size_t i, const json_t *mechanisms,
                             const json_t *claims, pby_error *err)
{
    static const char *const known[] = {"name",  "kind", "epsilon", "delta", "rho",     "xi", "order",  "mu",
                                        "about", "each", "per",     "parts", "follows", "by", "source", NULL};
    static const char *const pers[] = {"unit", "entity", NULL};
    char within[PBY_PLACE_SIZE];
    const char *text;
    bool given;
    snprintf(within, sizeof within, "claims[%zu]", i);
    PBY_TRY(pby_deployment_only(entry, within, known, err));
    c->name = pby_json_string(entry, "name");
    PBY_TRY(
        pby_deployment_word(&text, entry, within, "kind", kinds, "pure, approx, zcdp, renyi or gdp", err));
    if (text == NULL)
        return pby_deployment_refuse(err, within, "kind", NULL, "pure, approx, zcdp, renyi or gdp");
    while (strcmp(kinds[c->kind], text) != 0)
        c->kind++;
    PBY_TRY(read_numbers(c, entry, within, err));
    PBY_TRY(read_places(&c->about, entry, within, "about", mechanisms, "mechanisms", err));
    PBY_TRY(pby_deployment_flag(&c->each, &given, entry, within, "each", err));
    PBY_TRY(pby_deployment_word(&text, entry, within, "per", pers, "unit or entity", err));
    c->entity = text != NULL && strcmp(text, "entity") == 0;
    PBY_TRY(read_places(&c->parts, entry, within, "parts", claims, "claims", err));
    PBY_TRY(read_places(&c->follows, entry, within, "follows", claims, "claims", err));
    if (c->parts.given && c->follows.given)
        return pby_deployment_refuse(err, within, "follows", json_object_get(entry, "follows"),
                                     "it or parts, not both");
    if (c->follows.count > 1)
        return pby_deployment_refuse(err, within, "follows", json_object_get(entry, "follows"),
                                     "the name of one claim");
    PBY_TRY(read_conversion(&c->by, entry, within, err));
    if (c->by != NULL && !c->follows.given)
        return pby_deployment_refuse(err, within, "by", json_object_get(entry, "by"), "follows beside it");
    return pby_deployment_text(&text, entry, within, "source", err);
}

/* ---- the rest --------------------------------------------------------------------------------- */

static pby_status read_unit(pby_deployment *d, pby_error *err)
{
    static const char *const known[] = {"entity", "period", "neighbours", NULL};
    const json_t *unit;
    const char *text;
    PBY_TRY(pby_deployment_object(&unit, d->root, "unit", known, err));
    PBY_TRY(pby_deployment_text(&d->entity, unit, "unit", "entity", err));
    PBY_TRY(pby_deployment_text(&d->period, unit, "unit", "period", err));
    PBY_TRY(pby_deployment_text(&text, unit, "unit", "neighbours", err));
    d->has_relation = text != NULL;
    return text == NULL ? PBY_OK : pby_neighbours_parse(&d->relation, "unit.neighbours", text, err);
}

static pby_status read_model(pby_deployment *d, pby_error *err)
{
    static const char *const known[] = {"kind", "trusted", NULL};
    static const char *const words[] = {"central", "local", "shuffle", "federated", "mixed", NULL};
    const json_t *model;
    PBY_TRY(pby_deployment_object(&model, d->root, "model", known, err));
    PBY_TRY(pby_deployment_word(&d->model, model, "model", "kind", words,
                                "central, local, shuffle, federated or mixed", err));
    return pby_deployment_texts(model, "model", "trusted", err);
}

static pby_status read_horizon(pby_deployment *d, pby_error *err)
{
    static const char *const known[] = {"from", "to", "every", "periods", "releases", "data", "access", NULL};
    static const char *const data[] = {"static", "dynamic", NULL};
    static const char *const access[] = {"interactive", "non-interactive", NULL};
    const json_t *horizon;
    const char *text;
    uint64_t releases;
    PBY_TRY(pby_deployment_object(&horizon, d->root, "horizon", known, err));
    PBY_TRY(pby_deployment_text(&text, horizon, "horizon", "from", err));
    PBY_TRY(pby_deployment_text(&text, horizon, "horizon", "to", err));
    PBY_TRY(pby_deployment_text(&text, horizon, "horizon", "every", err));
    PBY_TRY(pby_deployment_count(&d->periods, 0, horizon, "horizon", "periods", err));
    PBY_TRY(pby_deployment_count(&releases, 0, horizon, "horizon", "releases", err));
    PBY_TRY(pby_deployment_word(&text, horizon, "horizon", "data", data, "static or dynamic", err));
    return pby_deployment_word(&text, horizon, "horizon", "access", access, "interactive or non-interactive",
                               err);
}

static pby_status read_parallel(pby_deployment *d, const json_t *lists, const json_t *mechanisms,
                                pby_error *err)
{
    if (lists != NULL && (!json_is_array(lists) || json_array_size(lists) > PBY_DEPLOYMENT_LIST_MAX))
        return pby_deployment_refuse(err, "composition", "parallel", lists, "a list of lists of mechanisms");
    if (json_array_size(lists) == 0)
        return PBY_OK;
    d->parallel = calloc(json_array_size(lists), sizeof *d->parallel);
    if (d->parallel == NULL)
        return pby_no_memory(err);
    bool taken[PBY_DEPLOYMENT_LIST_MAX] = {false};
    for (size_t i = 0; i < json_array_size(lists); i++) {
        json_t *wrapped = json_pack("{s:O}", "parallel", json_array_get(lists, i));
        if (wrapped == NULL)
            return pby_no_memory(err);
        d->parallels = i + 1;
        const pby_status status =
            read_places(&d->parallel[i], wrapped, "composition", "parallel", mechanisms, "mechanisms", err);
        json_decref(wrapped);
        PBY_TRY(status);
        for (size_t k = 0; k < d->parallel[i].count; k++) {
            if (taken[d->parallel[i].at[k]])
                return pby_deployment_refuse(err, "composition", "parallel", json_array_get(lists, i),
                                             "mechanisms that stand in no other list");
            taken[d->parallel[i].at[k]] = true;
        }
    }
    return PBY_OK;
}

static pby_status read_composition(pby_deployment *d, const json_t *mechanisms, pby_error *err)
{
    static const char *const known[] = {"rule", "periods", "parallel", "adaptive", NULL};
    static const char *const words[] = {"disjoint", "overlapping", NULL};
    const json_t *composition;
    const char *text;
    PBY_TRY(pby_deployment_object(&composition, d->root, "composition", known, err));
    PBY_TRY(pby_deployment_text(&text, composition, "composition", "rule", err));
    PBY_TRY(pby_deployment_word(&text, composition, "composition", "periods", words,
                                "disjoint or overlapping", err));
    PBY_TRY(pby_deployment_flag(&d->adaptive, &d->has_adaptive, composition, "composition", "adaptive", err));
    return read_parallel(d, json_object_get(composition, "parallel"), mechanisms, err);
}

static pby_status read_steps(const pby_deployment *d, const json_t *mechanisms, pby_error *err)
{
    static const char *const known[] = {"what", "data", "charged", NULL};
    static const char *const data[] = {"public", "private", NULL};
    const json_t *list = json_object_get(d->root, "steps");
    if (list != NULL && !json_is_array(list))
        return pby_deployment_refuse(err, "", "steps", list, "a list of objects");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *step = json_array_get(list, i);
        char within[PBY_PLACE_SIZE];
        const char *text;
        snprintf(within, sizeof within, "steps[%zu]", i);
        if (!json_is_object(step))
            return pby_deployment_refuse(err, "", within, step, "an object");
        PBY_TRY(pby_deployment_only(step, within, known, err));
        PBY_TRY(pby_deployment_text(&text, step, within, "what", err));
        if (text == NULL)
            return pby_deployment_refuse(err, within, "what", NULL, "a text");
        PBY_TRY(pby_deployment_word(&text, step, within, "data", data, "public or private", err));
        PBY_TRY(pby_deployment_text(&text, step, within, "charged", err));
        if (text != NULL && find(mechanisms, text) == json_array_size(mechanisms))
            return pby_deployment_refuse(err, within, "charged", json_object_get(step, "charged"),
                                         "the name of a mechanism");
    }
    return PBY_OK;
}

static pby_status read_measures(const pby_deployment *d, pby_error *err)
{
    static const char *const known[] = {"floating_point", "timing", NULL};
    static const char *const floats[] = {"integers", "exact sampling", "snapping", "doubles", NULL};
    static const char *const timing[] = {"constant", "none", NULL};
    const json_t *measures;
    const char *text;
    PBY_TRY(pby_deployment_object(&measures, d->root, "measures", known, err));
    PBY_TRY(pby_deployment_word(&text, measures, "measures", "floating_point", floats,
                                "integers, exact sampling, snapping or doubles", err));
    return pby_deployment_word(&text, measures, "measures", "timing", timing, "constant or none", err);
}

static pby_status read_sources(const pby_deployment *d, pby_error *err)
{
    const json_t *sources = json_object_get(d->root, "sources"),
                 *registry = json_object_get(d->root, "registry");
    const char *key, *text;
    json_t *value;
    if (sources != NULL && !json_is_object(sources))
        return pby_deployment_refuse(err, "", "sources", sources, "an object of links");
    json_object_foreach((json_t *)(uintptr_t)sources, key, value)
        PBY_TRY(pby_deployment_text(&text, sources, "sources", key, err));
    return registry == NULL || json_is_object(registry)
               ? PBY_OK
               : pby_deployment_refuse(err, "", "registry", registry, "an object");
}

static pby_status read_head(pby_deployment *d, pby_error *err)
{
    static const char *const known[] = {
        "format",      "version",    "name",        "title",   "organisation", "published",
        "region",      "sector",     "product",     "use",     "unit",         "model",
        "horizon",     "mechanisms", "composition", "claims",  "steps",        "post_processing",
        "not_private", "measures",   "sources",     "authors", "notes",        "registry",
        NULL};
    static const char *const texts[] = {"title", "published", "region", "sector", "product", "use"};
    static const char *const lists[] = {"organisation", "post_processing", "not_private", "authors", "notes"};
    const char *format = json_string_value(json_object_get(d->root, "format")), *text;
    const json_t *version = json_object_get(d->root, "version");
    if (format == NULL || strcmp(format, "probity-deployment") != 0)
        return pby_deployment_refuse(err, "", "format", json_object_get(d->root, "format"),
                                     "'probity-deployment'");
    if (!json_is_integer(version) || json_integer_value(version) != 1)
        return pby_deployment_refuse(err, "", "version", version, "1, the only one known");
    PBY_TRY(pby_deployment_only(d->root, "", known, err));
    PBY_TRY(read_name(&d->name, d->root, "", err));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        PBY_TRY(pby_deployment_text(&text, d->root, "", texts[i], err));
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        PBY_TRY(pby_deployment_texts(d->root, "", lists[i], err));
    return PBY_OK;
}

static void claim_init(pby_deployment_claim *c)
{
    mpq_inits(c->epsilon.value, c->delta.value, c->rho.value, c->xi.value, c->order.value, c->mu.value,
              (mpq_ptr)0);
}

static pby_status read_lists(pby_deployment *d, pby_error *err)
{
    const json_t *mechanisms, *claims;
    PBY_TRY(check_list(&mechanisms, d->root, "mechanisms", err));
    PBY_TRY(check_list(&claims, d->root, "claims", err));
    d->mechanism = calloc(json_array_size(mechanisms) + 1, sizeof *d->mechanism);
    d->claim = calloc(json_array_size(claims) + 1, sizeof *d->claim);
    if (d->mechanism == NULL || d->claim == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < json_array_size(mechanisms); i++) {
        pby_contribution *b = &d->mechanism[i].bounds;
        mpq_inits(b->groups.value, b->per_group.value, b->total.value, b->value.value, (mpq_ptr)0);
        d->mechanisms = i + 1;
        PBY_TRY(read_mechanism(&d->mechanism[i], json_array_get(mechanisms, i), i, claims, err));
    }
    for (size_t i = 0; i < json_array_size(claims); i++) {
        claim_init(&d->claim[i]);
        d->claims = i + 1;
        PBY_TRY(read_claim(&d->claim[i], json_array_get(claims, i), i, mechanisms, claims, err));
    }
    PBY_TRY(read_composition(d, mechanisms, err));
    return read_steps(d, mechanisms, err);
}

pby_status pby_deployment_read(pby_deployment **out, const char *text, size_t length, pby_error *err)
{
    json_error_t why;
    *out = NULL;
    if (length > PBY_DEPLOYMENT_SIZE_MAX)
        return pby_fail(err, PBY_BAD, "expected at most 4 MiB");
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why);
    if (root == NULL)
        return pby_json_spent(&why, text)
                   ? pby_no_memory(err)
                   : pby_fail(err, PBY_BAD, "line %d: expected JSON without repeated members: %s", why.line,
                              PBY_EXCERPT(why.text));
    pby_deployment *d = calloc(1, sizeof *d);
    if (d == NULL || !json_is_object(root)) {
        const pby_status status = d == NULL ? pby_no_memory(err)
                                            : pby_fail(err, PBY_BAD, "expected a JSON object");
        json_decref(root);
        free(d);
        return status;
    }
    d->root = root;
    pby_status status = read_head(d, err);
    if (status == PBY_OK)
        status = read_unit(d, err);
    if (status == PBY_OK)
        status = read_model(d, err);
    if (status == PBY_OK)
        status = read_horizon(d, err);
    if (status == PBY_OK)
        status = read_lists(d, err);
    if (status == PBY_OK)
        status = read_measures(d, err);
    if (status == PBY_OK)
        status = read_sources(d, err);
    if (status == PBY_OK)
        *out = d;
    else
        pby_deployment_free(d);
    return status;
}

pby_status pby_deployment_of_json(pby_deployment **out, const json_t *value, pby_error *err)
{
    *out = NULL;
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    if (text == NULL)
        return pby_no_memory(err);
    const pby_status status = pby_deployment_read(out, text, strlen(text), err);
    free(text);
    return status;
}

void pby_deployment_free(pby_deployment *d)
{
    if (d == NULL)
        return;
    for (size_t i = 0; i < d->mechanisms; i++) {
        pby_contribution *b = &d->mechanism[i].bounds;
        pby_spec_free(d->mechanism[i].spec);
        free(d->mechanism[i].from.at);
        mpq_clears(b->groups.value, b->per_group.value, b->total.value, b->value.value, (mpq_ptr)0);
    }
    for (size_t i = 0; i < d->claims; i++) {
        pby_deployment_claim *c = &d->claim[i];
        mpq_clears(c->epsilon.value, c->delta.value, c->rho.value, c->xi.value, c->order.value, c->mu.value,
                   (mpq_ptr)0);
        free(c->about.at);
        free(c->parts.at);
        free(c->follows.at);
    }
    for (size_t i = 0; i < d->parallels; i++)
        free(d->parallel[i].at);
    free(d->mechanism);
    free(d->claim);
    free(d->parallel);
    json_decref(d->root);
    free(d);
}
