/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
