/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Jansson seldom says that memory ran out: it leaves no reason, or calls a string a wrong token. Of a string
 * that is wrong it tells more, and nothing but a string ends with a quotation mark. */
bool pby_json_spent(const json_error_t *why, const char *text)
{
    if (why->text[0] == '\0' || json_error_code(why) == json_error_out_of_memory)
        return true;
    return json_error_code(why) == json_error_invalid_syntax && why->position > 0 &&
           text[why->position - 1] == '"' &&
           (strncmp(why->text, "invalid token", strlen("invalid token")) == 0 ||
            strncmp(why->text, "string or '}' expected", strlen("string or '}' expected")) == 0);
}

pby_status pby_json_read(json_t **out, const char *text, size_t length, pby_error *err)
{
    json_error_t why;
    *out = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why);
    return *out == NULL && pby_json_spent(&why, text) ? pby_no_memory(err) : PBY_OK;
}

pby_status pby_json_set(json_t *object, const char *name, json_t *value, pby_error *err)
{
    return json_object_set_new(object, name, value) == 0 ? PBY_OK : pby_no_memory(err);
}

json_t *pby_json_append(json_t *list, json_t *value)
{
    if (json_array_append_new(list, value) == 0)
        return list;
    json_decref(list);
    return NULL;
}

char *pby_json_text(json_t *value, size_t flags)
{
    const size_t size = json_dumpb(value, NULL, 0, flags);
    char *text = size == 0 ? NULL : malloc(size + 1);
    if (text != NULL && json_dumpb(value, text, size, flags) == size)
        text[size] = '\0';
    else {
        free(text);
        text = NULL;
    }
    json_decref(value);
    return text;
}

const char *pby_json_string(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text == NULL ? "" : text;
}

const char *pby_json_unknown(const json_t *object, const char *const *known)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        size_t i = 0;
        while (known[i] != NULL && strcmp(known[i], key) != 0)
            i++;
        if (known[i] == NULL)
            return key;
    }
    return NULL;
}
