/* SPDX-License-Identifier: MIT */
#include "tests/edits.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 16 };

struct walk {
    const json_t *document;
    struct {
        const char *key; /* NULL for a place of a list */
        size_t place;
    } step[STEPS];
    size_t steps, count;
    pby_edit_try *try_edit;
    void *with;
};

/* The parent of the member in a copy of the document. */
static json_t *copy(json_t **parent, const struct walk *w)
{
    json_t *root = json_deep_copy(w->document), *at = root;
    cr_assert_not_null(root);
    for (size_t i = 0; i + 1 < w->steps; i++)
        at = w->step[i].key != NULL ? json_object_get(at, w->step[i].key)
                                    : json_array_get(at, w->step[i].place);
    cr_assert_not_null(at);
    *parent = at;
    return root;
}

static void path_of(char path[PBY_EDIT_PATH], const struct walk *w)
{
    size_t n = 0;
    path[0] = '\0';
    for (size_t i = 0; i < w->steps; i++)
        n += (size_t)snprintf(path + n, PBY_EDIT_PATH - n, "%s%s",
                              w->step[i].key == NULL || n == 0 ? "" : ".",
                              w->step[i].key == NULL ? "[]" : w->step[i].key);
}

static void hand_over(struct walk *w, json_t *root, const char *what)
{
    char path[PBY_EDIT_PATH];
    path_of(path, w);
    w->try_edit(root, path, what, w->with);
    json_decref(root);
    w->count++;
}

/* The member with another value, or without one. */
static void put(struct walk *w, json_t *value, const char *what)
{
    json_t *parent, *root = copy(&parent, w);
    const char *key = w->step[w->steps - 1].key;
    const size_t place = w->step[w->steps - 1].place;
    if (key != NULL)
        cr_assert_eq(value == NULL ? json_object_del(parent, key) : json_object_set_new(parent, key, value),
                     0);
    else
        cr_assert_eq(
            value == NULL ? json_array_remove(parent, place) : json_array_set_new(parent, place, value), 0);
    hand_over(w, root, what);
}

/* Another first digit or letter, one fewer, one more, another type. */
static void edit_text(struct walk *w, const char *text)
{
    char other[4096];
    const size_t n = strlen(text);
    cr_assert_lt(n, sizeof other - 2);
    snprintf(other, sizeof other, "%s", text);
    if (n > 0) {
        other[0] = (char)(text[0] == '1' ? '2' : '1');
        put(w, json_string(other), "another first byte");
        snprintf(other, sizeof other, "%.*s", (int)(n - 1), text);
        put(w, json_string(other), "cut short");
    }
    snprintf(other, sizeof other, "%s1", text);
    put(w, json_string(other), "a byte more");
    put(w, json_integer(1), "a number for a text");
}

static void edit_number(struct walk *w, json_int_t n)
{
    put(w, json_integer(n + 1), "one more");
    put(w, json_integer(n == 0 ? 1000000000 : n - 1), n == 0 ? "very many" : "one less");
    put(w, json_integer(-1), "below 0");
    put(w, json_string("1"), "a text for a number");
}

static void edit_value(struct walk *w, const json_t *value);

static void edit_list(struct walk *w, const json_t *list)
{
    const size_t n = json_array_size(list);
    put(w, json_null(), "null for a list");
    if (n > 0) {
        json_t *more = json_deep_copy(list);
        cr_assert_eq(json_array_append_new(more, json_deep_copy(json_array_get(list, n - 1))), 0);
        put(w, more, "its last doubled");
        put(w, json_array(), "an empty list");
    }
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && i + 1 < n)
            continue;
        cr_assert_lt(w->steps, STEPS);
        w->step[w->steps].key = NULL;
        w->step[w->steps++].place = i;
        put(w, NULL, "left out");
        edit_value(w, json_array_get(list, i));
        w->steps--;
    }
}

static void edit_members(struct walk *w, const json_t *object)
{
    json_t *of = (json_t *)(uintptr_t)object, *value;
    const char *key;
    json_object_foreach(of, key, value)
    {
        cr_assert_lt(w->steps, STEPS);
        w->step[w->steps++].key = key;
        put(w, NULL, "left out");
        edit_value(w, value);
        w->steps--;
    }
    cr_assert_lt(w->steps, STEPS);
    w->step[w->steps++].key = "extra";
    put(w, json_integer(1), "a member more");
    w->steps--;
}

static void edit_value(struct walk *w, const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_STRING:
        edit_text(w, json_string_value(value));
        break;
    case JSON_INTEGER:
        edit_number(w, json_integer_value(value));
        break;
    case JSON_ARRAY:
        edit_list(w, value);
        break;
    case JSON_OBJECT:
        put(w, json_null(), "null for an object");
        edit_members(w, value);
        break;
    default:
        put(w, json_is_true(value) ? json_false() : json_true(), "turned round");
        put(w, json_string("true"), "a text");
    }
}

size_t pby_edits(const json_t *document, pby_edit_try *try_edit, void *with)
{
    struct walk w = {.document = document, .try_edit = try_edit, .with = with};
    edit_members(&w, document);
    return w.count;
}

bool pby_edit_within(const char *path, const char *const *paths)
{
    for (; *paths != NULL; paths++) {
        const size_t n = strlen(*paths);
        if (strncmp(path, *paths, n) == 0 && (path[n] == '\0' || path[n] == '.' || path[n] == '['))
            return true;
    }
    return false;
}

void pby_edit_keep(const char *kind, const char *text)
{
    static size_t count;
    const char *folder = getenv("PROBITY_FORGED");
    char path[1024];
    if (folder == NULL)
        return;
    const size_t length = strlen(folder);
    snprintf(path, sizeof path, "%s/%s-%zu.json", folder, kind, count++);
    for (char *at = path + length + 1; (at = strchr(at, '/')) != NULL;)
        *at = '-'; /* claims/mu */
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file, "%s", path);
    cr_assert_geq(fputs(text, file), 0);
    cr_assert_eq(fclose(file), 0);
}
