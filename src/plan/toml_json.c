/* SPDX-License-Identifier: MIT */
#include "plan/toml_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pby_status convert(pby_toml *out, const json_t *json, const char *name, unsigned depth,
                          pby_error *err);

/* A member or an item, behind the last one. */
static pby_status add(pby_toml *parent, const char *key, const json_t *json, const char *name, unsigned depth,
                      pby_error *err)
{
    pby_toml *value = calloc(1, sizeof *value);
    if (value == NULL)
        return pby_no_memory(err);
    if (parent->last == NULL)
        parent->first = value;
    else
        parent->last->next = value;
    parent->last = value;
    parent->count++;
    if (key != NULL && (value->key = strdup(key)) == NULL)
        return pby_no_memory(err);
    return convert(value, json, name, depth, err);
}

static pby_status convert_members(pby_toml *out, const json_t *json, const char *name, unsigned depth,
                                  pby_error *err)
{
    out->kind = PBY_TOML_TABLE;
    if (json_object_size(json) > PBY_TOML_KEYS_MAX)
        return pby_fail(err, PBY_BAD, "%s: expected at most 1000 keys in a table", name);
    /* Iterators change nothing; Jansson takes no const for them. */
    json_t *object = (json_t *)(uintptr_t)json;
    for (void *at = json_object_iter(object); at != NULL; at = json_object_iter_next(object, at))
        PBY_TRY(add(out, json_object_iter_key(at), json_object_iter_value(at), name, depth + 1, err));
    return PBY_OK;
}

static pby_status convert_items(pby_toml *out, const json_t *json, const char *name, unsigned depth,
                                pby_error *err)
{
    out->kind = PBY_TOML_LIST;
    out->opened = json_is_object(json_array_get(json, 0));
    for (size_t i = 0; i < json_array_size(json); i++)
        PBY_TRY(add(out, NULL, json_array_get(json, i), name, depth + 1, err));
    return PBY_OK;
}

static pby_status convert(pby_toml *out, const json_t *json, const char *name, unsigned depth, pby_error *err)
{
    char digits[32];
    if (depth > PBY_TOML_DEPTH_MAX)
        return pby_fail(err, PBY_BAD, "%s: expected at most 8 levels", name);
    if (json_is_object(json))
        return convert_members(out, json, name, depth, err);
    if (json_is_array(json))
        return convert_items(out, json, name, depth, err);
    if (json_is_boolean(json)) {
        out->kind = PBY_TOML_TRUTH;
        out->truth = json_is_true(json);
        return PBY_OK;
    }
    if (!json_is_string(json) && !json_is_integer(json))
        return pby_fail(err, PBY_BAD, "%s: expected texts, integers, truths, lists and objects", name);
    snprintf(digits, sizeof digits, "%lld", (long long)json_integer_value(json));
    out->kind = json_is_string(json) ? PBY_TOML_TEXT : PBY_TOML_NUMBER;
    out->text = strdup(json_is_string(json) ? json_string_value(json) : digits);
    return out->text == NULL ? pby_no_memory(err) : PBY_OK;
}

pby_status pby_toml_of_json(pby_toml **out, const json_t *json, const char *name, pby_error *err)
{
    *out = NULL;
    if (!json_is_object(json))
        return pby_fail(err, PBY_BAD, "%s: expected an object", name);
    pby_toml *root = calloc(1, sizeof *root);
    if (root == NULL)
        return pby_no_memory(err);
    const pby_status status = convert(root, json, name, 0, err);
    if (status == PBY_OK)
        *out = root;
    else
        pby_toml_free(root);
    return status;
}
