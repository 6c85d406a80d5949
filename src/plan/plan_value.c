/* SPDX-License-Identifier: MIT */
#include "plan/plan_value.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/excerpt.h"
#include "base/nearest.h"
#include "number/integer.h"
#include "number/scoped.h"
#include "probity/rational.h"

enum { KEYS_MAX = 16, EXPECTED = 200 };

enum { NAME_SHOWN = 150, KEY_SHOWN = 80 };

void pby_plan_key(char text[PBY_PLAN_PATH], const pby_plan_place *place, const char *key)
{
    snprintf(text, PBY_PLAN_PATH, "%s: %s%s%s", pby_excerpt_of(place->reader->name, NAME_SHOWN).text,
             place->path == NULL ? "" : place->path, place->path == NULL ? "" : ".",
             pby_excerpt_of(key, KEY_SHOWN).text);
}

static const char *shown(const pby_toml *value)
{
    return value == NULL                   ? ""
           : value->text != NULL           ? value->text
           : value->kind == PBY_TOML_TABLE ? "[table]"
           : value->kind == PBY_TOML_LIST  ? "[list]"
           : value->truth                  ? "true"
                                           : "false";
}

pby_status pby_plan_refuse(const pby_plan_place *place, const char *key, const pby_toml *value,
                           const char *expected)
{
    char name[PBY_PLAN_PATH];
    pby_plan_key(name, place, key);
    return pby_refuse(place->reader->err, name, shown(value), expected);
}

pby_status pby_plan_refuse_key(const pby_plan_place *place, const char *key, const char *expected)
{
    return pby_plan_refuse(place, key, NULL, expected);
}

pby_status pby_plan_refuse_missing(const pby_plan_reader *r, const char *path, const char *expected)
{
    const pby_plan_place place = {r, NULL, r->root};
    return pby_plan_refuse(&place, path, pby_toml_at(r->root, path), expected);
}

pby_status pby_plan_keys(const pby_plan_place *place, const char *const *known)
{
    char name[PBY_PLAN_PATH];
    if (place->table->kind != PBY_TOML_TABLE) {
        snprintf(name, sizeof name, "%.150s: %s", place->reader->name, place->path);
        return pby_refuse(place->reader->err, name, shown(place->table), "a table");
    }
    for (const pby_toml *value = place->table->first; value != NULL; value = value->next) {
        size_t i = 0;
        while (known[i] != NULL && strcmp(known[i], value->key) != 0)
            i++;
        if (known[i] != NULL)
            continue;
        snprintf(name, sizeof name, "%.150s: key", place->reader->name);
        if (place->path != NULL)
            snprintf(name, sizeof name, "%.150s: key of %s", place->reader->name, place->path);
        return pby_refuse_name(place->reader->err, name, value->key, known);
    }
    return PBY_OK;
}

/* An integer or a decimal, or a text of one. */
static bool is_number(mpq_t out, const pby_toml *value)
{
    return (value->kind == PBY_TOML_NUMBER || value->kind == PBY_TOML_TEXT) &&
           pby_rational_parse(out, "number", value->text, NULL) == PBY_OK;
}

pby_status pby_plan_number(mpq_t out, const pby_plan_place *place, const char *key)
{
    const pby_toml *value = pby_toml_at(place->table, key);
    return value != NULL && is_number(out, value)
               ? PBY_OK
               : pby_plan_refuse(place, key, value, "a rational such as 60, 0.5 or \"1/3\"");
}

/* Noise is searched for with doubles, in which a square of these neither vanishes nor overflows. */
static bool is_sized(mpq_srcptr x)
{
    PBY_MPQ(most);
    mpz_ui_pow_ui(mpq_numref(most), 10, 30);
    const bool small = mpq_cmp(x, most) <= 0;
    mpq_inv(most, most);
    return small && mpq_cmp(x, most) >= 0;
}

pby_status pby_plan_positive(mpq_t out, const pby_plan_place *place, const char *key)
{
    const pby_toml *value = pby_toml_at(place->table, key);
    if (value == NULL)
        return PBY_OK;
    if (!is_number(out, value) || mpq_sgn(out) <= 0)
        return pby_plan_refuse(place, key, value, "a rational above 0, such as 2, 0.5 or \"1/3\"");
    return is_sized(out) ? PBY_OK : pby_plan_refuse(place, key, value, "a rational from 1e-30 to 1e30");
}

pby_status pby_plan_integer(uint64_t *out, const pby_plan_place *place, const char *key, uint64_t least,
                            uint64_t most)
{
    char expected[EXPECTED];
    const pby_toml *value = pby_toml_at(place->table, key);
    PBY_MPQ(x);
    if (value == NULL)
        return PBY_OK;
    snprintf(expected, sizeof expected, "an integer from %" PRIu64 " to %" PRIu64, least, most);
    if (!is_number(x, value) || mpz_cmp_ui(mpq_denref(x), 1) != 0 || mpq_sgn(x) < 0 ||
        mpz_sizeinbase(mpq_numref(x), 2) > 64 || pby_integer_unsigned(mpq_numref(x)) < least ||
        pby_integer_unsigned(mpq_numref(x)) > most)
        return pby_plan_refuse(place, key, value, expected);
    *out = pby_integer_unsigned(mpq_numref(x));
    return PBY_OK;
}

pby_status pby_plan_name(char **out, const pby_plan_place *place, const char *key, bool required)
{
    const pby_toml *value = pby_toml_at(place->table, key);
    if (value == NULL && !required)
        return PBY_OK;
    if (value == NULL || value->kind != PBY_TOML_TEXT || *value->text == '\0' || strlen(value->text) > 1000)
        return pby_plan_refuse(place, key, value, "a column's name");
    return pby_plan_copy(out, value->text, place->reader->err);
}

pby_status pby_plan_copy(char **out, const char *text, pby_error *err)
{
    *out = strdup(text);
    return *out == NULL ? pby_no_memory(err) : PBY_OK;
}
