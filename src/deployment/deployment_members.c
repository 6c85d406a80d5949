/* SPDX-License-Identifier: MIT */
#include "deployment/deployment_members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/excerpt.h"
#include "base/json.h"
#include "base/readable.h"
#include "mechanism/family.h"
#include "number/integer.h"
#include "probity/rational.h"

void pby_deployment_place(char text[PBY_PLACE_SIZE], const char *within, const char *name)
{
    snprintf(text, PBY_PLACE_SIZE, "%s%s%s", pby_excerpt_of(within, PBY_WITHIN_SHOWN).text,
             within[0] == '\0' ? "" : ".", pby_excerpt_of(name, PBY_NAME_SHOWN).text);
}

pby_status pby_deployment_refuse(pby_error *err, const char *within, const char *name, const json_t *value,
                                 const char *expected)
{
    char at[PBY_PLACE_SIZE];
    pby_deployment_place(at, within, name);
    if (json_is_string(value))
        return pby_refuse(err, at, json_string_value(value), expected);
    char *shown = value == NULL ? NULL : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    const pby_status status = shown == NULL
                                  ? pby_fail(err, PBY_BAD, "%s: not there: expected %s", at, expected)
                                  : pby_refuse(err, at, shown, expected);
    free(shown);
    return status;
}

pby_status pby_deployment_only(const json_t *object, const char *within, const char *const *known,
                               pby_error *err)
{
    const char *key = pby_json_unknown(object, known);
    if (key == NULL)
        return PBY_OK;
    char at[PBY_PLACE_SIZE];
    pby_deployment_place(at, within, "member");
    return pby_refuse(err, at, key, PBY_PLACE_EXPECTED);
}

pby_status pby_deployment_text(const char **out, const json_t *object, const char *within, const char *name,
                               pby_error *err)
{
    const json_t *value = json_object_get(object, name);
    *out = json_string_value(value);
    if (value == NULL || (*out != NULL && **out != '\0' && pby_readable(*out, false)))
        return PBY_OK;
    return pby_deployment_refuse(err, within, name, value, "a text without control characters");
}

pby_status pby_deployment_word(const char **out, const json_t *object, const char *within, const char *name,
                               const char *const *words, const char *expected, pby_error *err)
{
    PBY_TRY(pby_deployment_text(out, object, within, name, err));
    if (*out == NULL)
        return PBY_OK;
    for (size_t i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], *out) == 0)
            return PBY_OK;
    return pby_deployment_refuse(err, within, name, json_object_get(object, name), expected);
}

pby_status pby_deployment_texts(const json_t *object, const char *within, const char *name, pby_error *err)
{
    const json_t *list = json_object_get(object, name);
    bool good = list == NULL || json_is_array(list);
    for (size_t i = 0; good && i < json_array_size(list); i++) {
        const char *text = json_string_value(json_array_get(list, i));
        good = text != NULL && text[0] != '\0' && pby_readable(text, false);
    }
    return good
               ? PBY_OK
               : pby_deployment_refuse(err, within, name, list, "a list of texts without control characters");
}

pby_status pby_deployment_object(const json_t **out, const json_t *object, const char *name,
                                 const char *const *known, pby_error *err)
{
    *out = json_object_get(object, name);
    if (*out == NULL)
        return PBY_OK;
    return json_is_object(*out) ? pby_deployment_only(*out, name, known, err)
                                : pby_deployment_refuse(err, "", name, *out, "an object");
}

pby_status pby_deployment_flag(bool *out, bool *given, const json_t *object, const char *within,
                               const char *name, pby_error *err)
{
    const json_t *value = json_object_get(object, name);
    *given = value != NULL;
    if (value == NULL)
        return PBY_OK;
    *out = json_is_true(value);
    return json_is_boolean(value) ? PBY_OK : pby_deployment_refuse(err, within, name, value, "true or false");
}

static const char *const ranges[] = {
    "a text with a rational above 0, such as 0.1", "a text with a rational from 0 on, such as 0.1",
    "a text with a rational from 0 to below 1, such as 1e-6", "a text with a rational above 1, such as 8",
    "a text with an integer from 1 to 1000000000"};

static bool is_within(mpq_srcptr x, pby_stated_range r)
{
    if (r == PBY_STATED_WHOLE)
        return mpz_cmp_ui(mpq_denref(x), 1) == 0 && mpq_sgn(x) > 0 && mpq_cmp_ui(x, PBY_TIMES_MAX, 1) <= 0;
    if (r == PBY_STATED_ABOVE_ONE)
        return mpq_cmp_ui(x, 1, 1) > 0;
    return r == PBY_STATED_ABOVE_ZERO
               ? mpq_sgn(x) > 0
               : mpq_sgn(x) >= 0 && (r == PBY_STATED_FROM_ZERO || mpq_cmp_ui(x, 1, 1) < 0);
}

pby_status pby_deployment_number(pby_stated_number *out, const json_t *object, const char *within,
                                 const char *name, pby_stated_range r, pby_error *err)
{
    const json_t *value = json_object_get(object, name);
    out->text = json_string_value(value);
    if (value == NULL)
        return PBY_OK;
    if (out->text == NULL || pby_rational_parse(out->value, name, out->text, NULL) != PBY_OK ||
        !is_within(out->value, r))
        return pby_deployment_refuse(err, within, name, value, ranges[r]);
    return PBY_OK;
}

pby_status pby_deployment_count(uint64_t *out, uint64_t fallback, const json_t *object, const char *within,
                                const char *name, pby_error *err)
{
    pby_stated_number n;
    mpq_init(n.value);
    const pby_status status = pby_deployment_number(&n, object, within, name, PBY_STATED_WHOLE, err);
    *out = status == PBY_OK && n.text != NULL ? pby_integer_unsigned(mpq_numref(n.value)) : fallback;
    mpq_clear(n.value);
    return status;
}
