/* SPDX-License-Identifier: MIT */
#include "table/answer/answer.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/status.h"
#include "number/exact.h"
#include "probity/rational.h"
#include "table/store/rows.h"

/* The bars of a statistic, and how it is told. */
struct answer {
    const pby_statistic *statistic;
    const pby_bars *bars;
    const size_t *found;
    size_t count;
};

/* The maximum less the minimum: of the positions, or of the rows where bars have none. For free(3). */
static char *width_of(const struct answer *a)
{
    mpq_t lo, hi;
    mpq_inits(lo, hi, NULL);
    const size_t first = a->found[0], last = a->found[a->count - 1];
    mpq_set_ui(lo, first, 1);
    mpq_set_ui(hi, last, 1);
    if (pby_key_kinds_numbers(&a->bars->kinds)) {
        mpq_set(lo, a->bars->bar[first].at);
        mpq_set(hi, a->bars->bar[last].at);
    }
    mpq_sub(hi, hi, lo);
    char *text = pby_exact_text(hi);
    mpq_clears(lo, hi, NULL);
    return text;
}

/* As CSV has it, and in quotes too where it would be taken for no bar or for no line. */
static pby_status print_key(FILE *out, const char *key, pby_error *err)
{
    const size_t size = strlen(key);
    if (size == 0 || strcmp(key, "none") == 0) {
        fprintf(out, "\"%s\"\n", key);
        return PBY_OK;
    }
    uint8_t *text = malloc(2 * size + 2);
    if (text == NULL)
        return pby_no_memory(err);
    const uint8_t *end = pby_put_name(text, (const uint8_t *)key, size);
    fwrite(text, 1, (size_t)(end - text), out);
    fputc('\n', out);
    free(text);
    return PBY_OK;
}

static pby_status print_text(FILE *out, const struct answer *a, pby_error *err)
{
    if (a->count == 0) {
        fputs("none\n", out);
    } else if (a->statistic->name == PBY_STATISTIC_RANGE) {
        char *width = width_of(a);
        if (width == NULL)
            return pby_no_memory(err);
        fprintf(out, "%s\n", width);
        free(width);
    } else {
        for (size_t i = 0; i < a->count; i++)
            PBY_TRY(print_key(out, a->bars->bar[a->found[i]].key, err));
        return PBY_OK;
    }
    return PBY_OK;
}

static json_t *json_value(const struct answer *a)
{
    if (a->statistic->name == PBY_STATISTIC_SUPPORT) {
        json_t *set = json_array();
        for (size_t i = 0; set != NULL && i < a->count; i++)
            if (json_array_append_new(set, json_string(a->bars->bar[a->found[i]].key)) != 0) {
                json_decref(set);
                set = NULL;
            }
        return set;
    }
    if (a->count == 0)
        return json_null();
    if (a->statistic->name != PBY_STATISTIC_RANGE)
        return json_string(a->bars->bar[a->found[0]].key);
    char *width = width_of(a);
    json_t *value = width == NULL ? NULL : json_string(width);
    free(width);
    return value;
}

pby_status pby_stat_order(const pby_statistic *statistic, const pby_key_kinds *kinds, pby_error *err)
{
    return pby_statistic_ordered(statistic) && pby_key_kinds_points(kinds)
               ? pby_refuse(err, "statistic", pby_statistic_text(statistic->name),
                            "support or mode: points of several coordinates have no order")
               : PBY_OK;
}

bool pby_stat_mixed(const pby_statistic *statistic, const pby_key_kinds *kinds)
{
    return pby_statistic_ordered(statistic) && pby_key_kinds_mixed(kinds);
}

static json_t *share_json(int num, int den)
{
    return den == 1 ? json_sprintf("%d", num) : json_sprintf("%d/%d", num, den);
}

pby_status pby_statistic_describe(json_t *object, const pby_statistic *s, pby_error *err)
{
    if (s->name == PBY_STATISTIC_MAX_K || s->name == PBY_STATISTIC_MIN_K)
        return pby_json_set(object, "k", json_sprintf("%lld", (long long)s->k), err);
    return s->name == PBY_STATISTIC_QUANTILE ? pby_json_set(object, "q", share_json(s->num, s->den), err)
                                             : PBY_OK;
}

pby_status pby_stat_describe(json_t *object, const pby_statistic *statistic, bool numbers, pby_error *err)
{
    pby_status status =
        pby_json_set(object, "statistic", json_string(pby_statistic_text(statistic->name)), err);
    if (status == PBY_OK)
        status = pby_statistic_describe(object, statistic, err);
    return status == PBY_OK ? pby_json_set(object, "order", json_string(numbers ? "numbers" : "rows"), err)
                            : status;
}

/* As JSON, or as text where value is NULL. */
static pby_status answer(json_t **value, FILE *out, const pby_statistic *statistic, const pby_bars *bars,
                         pby_error *err)
{
    struct answer a = {statistic, bars, NULL, 0};
    int64_t *counts = calloc(bars->count + 1, sizeof *counts);
    size_t *found = malloc((bars->count + 1) * sizeof *found);
    pby_status status = counts != NULL && found != NULL ? PBY_OK : pby_no_memory(err);
    for (size_t i = 0; i < bars->count && status == PBY_OK; i++)
        counts[i] = bars->bar[i].count;
    if (status == PBY_OK)
        status = pby_statistic_bars(found, &a.count, statistic, counts, bars->count, err);
    a.found = found;
    if (status == PBY_OK && value == NULL)
        status = print_text(out, &a, err);
    else if (status == PBY_OK && (*value = json_value(&a)) == NULL)
        status = pby_no_memory(err);
    if (counts != NULL)
        sodium_memzero(counts, bars->count * sizeof *counts);
    free(counts);
    free(found);
    return status;
}

pby_status pby_stat_print(FILE *out, const pby_statistic *statistic, const pby_bars *bars, pby_error *err)
{
    return answer(NULL, out, statistic, bars, err);
}

pby_status pby_stat_json(json_t **out, const pby_statistic *statistic, const pby_bars *bars, pby_error *err)
{
    *out = NULL;
    return answer(out, NULL, statistic, bars, err);
}

/* ---- as a number ------------------------------------------------------------------------------ */

pby_status pby_stat_numeric(const char *argument, const pby_statistic *statistic, const pby_key_kinds *kinds,
                            pby_error *err)
{
    const char *name = pby_statistic_text(statistic->name);
    if (statistic->name == PBY_STATISTIC_SUPPORT)
        return pby_refuse(err, argument, name, "one that is a number");
    return pby_key_kinds_numbers(kinds) ? PBY_OK
                                        : pby_refuse(err, argument, name, "keys that are all numbers");
}

pby_status pby_stat_number(mpq_t out, bool *none, const pby_statistic *statistic, const pby_bars *bars,
                           pby_error *err)
{
    json_t *value = NULL;
    *none = true;
    pby_status status = bars->count == 0 ? PBY_OK
                                         : pby_stat_numeric("statistic", statistic, &bars->kinds, err);
    if (status == PBY_OK)
        status = pby_stat_json(&value, statistic, bars, err);
    if (status == PBY_OK && json_is_string(value)) {
        *none = false;
        status = pby_rational_parse(out, "statistic", json_string_value(value), err);
    }
    json_decref(value);
    return status;
}
