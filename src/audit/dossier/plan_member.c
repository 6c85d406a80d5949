/* SPDX-License-Identifier: MIT */
#include "audit/dossier/plan_member.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/readable.h"
#include "probity/rational.h"

void pby_member_place(char text[PBY_MEMBER_PLACE], const char *within, const char *name)
{
    snprintf(text, PBY_MEMBER_PLACE, "%.60s%s%.30s", within, within[0] == '\0' ? "" : ".", name);
}

pby_status pby_member_expected(pby_error *err, const char *within, const char *name, const char *what)
{
    char at[PBY_MEMBER_PLACE];
    pby_member_place(at, within, name);
    return pby_fail(err, PBY_BAD, "%s: expected %s", at, what);
}

pby_status pby_member_refuse(pby_error *err, const char *within, const char *name, const char *value,
                             const char *what)
{
    char at[PBY_MEMBER_PLACE];
    pby_member_place(at, within, name);
    return pby_refuse(err, at, value, what);
}

pby_status pby_member_only(const json_t *object, const char *within, const char *const *known, pby_error *err)
{
    const char *key = pby_json_unknown(object, known);
    if (key == NULL)
        return PBY_OK;
    return pby_member_refuse(err, within, "member", key, "one that a plan has (docs/audit.schema.json)");
}

pby_status pby_member_text(const char **out, const json_t *object, const char *within, const char *name,
                           bool needed, pby_error *err)
{
    const json_t *value = json_object_get(object, name);
    *out = json_string_value(value);
    if (value == NULL && !needed)
        return PBY_OK;
    if (*out == NULL || **out == '\0' || !pby_readable(*out, true))
        return pby_member_expected(err, within, name, "a text, without control characters");
    return PBY_OK;
}

pby_status pby_member_rational(mpq_t out, const json_t *object, const char *within, const char *name,
                               const char *fallback, pby_error *err)
{
    char at[PBY_MEMBER_PLACE];
    const char *text = NULL;
    pby_status status = pby_member_text(&text, object, within, name, fallback == NULL, err);
    pby_member_place(at, within, name);
    return status == PBY_OK ? pby_rational_parse(out, at, text != NULL ? text : fallback, err) : status;
}

pby_status pby_member_integer(json_int_t *out, const json_t *object, const char *within, const char *name,
                              json_int_t least, json_int_t most, bool needed, pby_error *err)
{
    char what[64];
    const json_t *value = json_object_get(object, name);
    *out = json_integer_value(value);
    snprintf(what, sizeof what, "an integer from %" JSON_INTEGER_FORMAT " to %" JSON_INTEGER_FORMAT, least,
             most);
    if (value == NULL && !needed)
        return PBY_OK;
    return json_is_integer(value) && *out >= least && *out <= most
               ? PBY_OK
               : pby_member_expected(err, within, name, what);
}

pby_status pby_member_pair(const char *out[2], const json_t *object, const char *within, const char *name,
                           const char *what, pby_error *err)
{
    const json_t *list = json_object_get(object, name);
    for (size_t i = 0; i < 2; i++) {
        out[i] = json_string_value(json_array_get(list, i));
        if (out[i] == NULL || !pby_readable(out[i], true) || json_array_size(list) != 2)
            return pby_member_expected(err, within, name, what);
    }
    return PBY_OK;
}
