/* SPDX-License-Identifier: MIT */
#include "plan/plan_groups.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "io/file.h"
#include "kernel/scan.h"
#include "plan/plan_buckets.h"

enum { FILE_MAX = 1 << 26, FIELD_MAX = 1000 };

static const char expected_list[] =
    "a list of texts, or of lists with a text for each column of by, each group once";

/* ---- duplicates and the digest ------------------------------------------------------------------- */

/* Fields of groups are compared one after the other; qsort has no room for their number. */
struct keyed {
    char **field;
    size_t fields;
};

static int compare(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    int order = 0;
    for (size_t i = 0; i < x->fields && order == 0; i++)
        order = strcmp(x->field[i], y->field[i]);
    return order;
}

static pby_status find_duplicate(char ***found, const pby_plan_grouping *g, pby_error *err)
{
    struct keyed *keys = calloc(g->groups, sizeof *keys);
    *found = NULL;
    if (keys == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < g->groups; i++)
        keys[i] = (struct keyed){g->group + i * g->by, g->by};
    qsort(keys, g->groups, sizeof *keys, compare);
    for (size_t i = 1; i < g->groups && *found == NULL; i++)
        if (compare(&keys[i - 1], &keys[i]) == 0)
            *found = keys[i].field;
    free(keys);
    return PBY_OK;
}

/* Each field with the NUL byte behind it, which no field has inside. */
static void set_digest(pby_plan_grouping *g)
{
    pby_digesting d;
    pby_digest digest;
    pby_digesting_begin(&d);
    for (size_t i = 0; i < g->groups * g->by; i++)
        pby_digesting_add(&d, g->group[i], strlen(g->group[i]) + 1);
    pby_digesting_so_far(&digest, &d);
    memcpy(g->digest, digest.sha256, sizeof g->digest);
}

static pby_status finish(pby_plan_grouping *g, const pby_plan_place *place, const char *key)
{
    char **twice;
    PBY_TRY(find_duplicate(&twice, g, place->reader->err));
    if (twice != NULL) {
        char name[PBY_PLAN_PATH];
        pby_plan_key(name, place, key);
        return pby_refuse(place->reader->err, name, *twice, "no duplicate group");
    }
    const char *wrong = pby_plan_no_bucket(g);
    if (wrong != NULL) {
        char name[PBY_PLAN_PATH];
        pby_plan_key(name, place, key);
        return pby_refuse(place->reader->err, name, wrong,
                          "the left end of a bucket, as it is written in full");
    }
    set_digest(g);
    return PBY_OK;
}

/* ---- a list -------------------------------------------------------------------------------------- */

static pby_status add_field(pby_plan_grouping *g, size_t *count, const pby_plan_place *place,
                            const pby_toml *value)
{
    if (value->kind != PBY_TOML_TEXT || strlen(value->text) > FIELD_MAX)
        return pby_plan_refuse(place, "groups", value, expected_list);
    PBY_TRY(pby_plan_copy(&g->group[*count], value->text, place->reader->err));
    ++*count;
    return PBY_OK;
}

static pby_status read_list(pby_plan_grouping *g, const pby_plan_place *place, const pby_toml *list)
{
    size_t count = 0;
    if (list->kind != PBY_TOML_LIST || list->count == 0)
        return pby_plan_refuse(place, "groups", list, expected_list);
    g->group = calloc(list->count * g->by, sizeof *g->group);
    if (g->group == NULL)
        return pby_no_memory(place->reader->err);
    g->groups = list->count;
    for (const pby_toml *group = list->first; group != NULL; group = group->next) {
        if (group->kind != PBY_TOML_LIST && g->by == 1)
            PBY_TRY(add_field(g, &count, place, group));
        else if (group->kind != PBY_TOML_LIST || group->count != g->by)
            return pby_plan_refuse(place, "groups", group, expected_list);
        else
            for (const pby_toml *field = group->first; field != NULL; field = field->next)
                PBY_TRY(add_field(g, &count, place, field));
    }
    return finish(g, place, "groups");
}

/* ---- a file -------------------------------------------------------------------------------------- */

/* A group a line, of one column; lines end in LF or CRLF, and the last need not. */
static pby_status read_lines(pby_plan_grouping *g, const pby_plan_place *place, char *text, const char *end)
{
    size_t room = 0;
    for (char *line = text; line < end;) {
        char *next = memchr(line, '\n', (size_t)(end - line));
        size_t size = (size_t)((next == NULL ? end : next) - line);
        if (size > 0 && line[size - 1] == '\r')
            size--;
        if (size == 0 || size > FIELD_MAX || memchr(line, '\0', size) != NULL ||
            g->groups == PBY_PLAN_GROUPS_MAX)
            return pby_plan_refuse(place, "file", pby_toml_at(place->table, "file"),
                                   "up to 2^20 groups, one a line, none empty");
        PBY_RESERVE(g->group, room, g->groups + 1, place->reader->err);
        g->group[g->groups] = strndup(line, size);
        if (g->group[g->groups] == NULL)
            return pby_no_memory(place->reader->err);
        g->groups++;
        line = next == NULL ? (char *)(uintptr_t)end : next + 1;
    }
    return g->groups > 0
               ? finish(g, place, "file")
               : pby_plan_refuse(place, "file", pby_toml_at(place->table, "file"), "a group a line");
}

/* A plan may be a stranger's, and a release would publish the lines of any file that it names. */
static bool is_beside(const char *path)
{
    bool beside = *path != '/';
    for (const char *at = path; beside && at != NULL; at = strchr(at, '/')) {
        at += *at == '/';
        beside = strncmp(at, "..", 2) != 0 || (at[2] != '/' && at[2] != '\0');
    }
    return beside;
}

static pby_status read_groups_file(pby_plan_grouping *g, const pby_plan_place *place, const pby_toml *file)
{
    char path[4096], *text;
    size_t size;
    const char *folder = place->reader->folder;
    if (file->kind != PBY_TOML_TEXT || *file->text == '\0' || folder == NULL)
        return pby_plan_refuse(place, "file", file, "the name of a file with a group a line");
    if (g->by != 1)
        return pby_plan_refuse(place, "file", file, "groups: a file has groups of one column");
    if (!is_beside(file->text))
        return pby_plan_refuse(place, "file", file, "a file beside the plan: no / before it and no ..");
    const int length = snprintf(path, sizeof path, "%s%s", folder, file->text);
    if (length < 0 || (size_t)length >= sizeof path)
        return pby_plan_refuse(place, "file", file, "a shorter path");
    if (access(path, R_OK) != 0)
        return pby_plan_refuse(place, "file", file, "a file beside the plan that can be read");
    PBY_TRY(pby_file_read(&text, &size, path, FILE_MAX, place->reader->err));
    pby_status status = PBY_OK;
    if (size > FILE_MAX || pby_scan_utf8((const uint8_t *)text, size) != size)
        status = pby_plan_refuse(place, "file", file, "a file of UTF-8, at most 64 MiB");
    if (status == PBY_OK)
        status = read_lines(g, place, text, text + size);
    free(text);
    return status;
}

/* ---- a certificate ------------------------------------------------------------------------------- */

static pby_status read_sealed(pby_plan_grouping *g, const pby_plan_place *place, const pby_toml *groups)
{
    static const char *const keys[] = {"count", "sha256", NULL};
    const pby_plan_place inner = {place->reader, "groups", groups};
    uint64_t count = 0;
    PBY_TRY(pby_plan_keys(&inner, keys));
    const pby_toml *digest = pby_toml_at(groups, "sha256");
    if (digest == NULL || digest->kind != PBY_TOML_TEXT || !pby_digest_is(digest->text))
        return pby_plan_refuse(&inner, "sha256", digest, "64 hexadecimal digits");
    PBY_TRY(pby_plan_integer(&count, &inner, "count", 1, PBY_PLAN_GROUPS_MAX));
    if (count == 0)
        return pby_plan_refuse_key(&inner, "count", "the number of groups");
    g->groups = (size_t)count; /* at most PBY_PLAN_GROUPS_MAX */
    memcpy(g->digest, digest->text, sizeof g->digest);
    return PBY_OK;
}

pby_status pby_plan_read_groups(pby_plan_grouping *g, const pby_plan_place *place)
{
    const pby_toml *groups = pby_toml_at(place->table, "groups"), *file = pby_toml_at(place->table, "file"),
                   *hidden = pby_toml_at(place->table, "hidden");
    if (hidden != NULL && hidden->kind != PBY_TOML_TRUTH)
        return pby_plan_refuse(place, "hidden", hidden, "true or false");
    g->hidden = hidden != NULL && hidden->truth;
    if (g->hidden) {
        g->groups = 1;
        return groups == NULL && file == NULL
                   ? PBY_OK
                   : pby_plan_refuse(place, "hidden", hidden, "one of groups, file and hidden");
    }
    if (groups != NULL && file != NULL)
        return pby_plan_refuse(place, "file", file, "one of groups and file");
    if (groups == NULL && file == NULL && pby_plan_all_buckets(g) && !place->reader->sealed) {
        PBY_TRY(pby_plan_list_buckets(g, place));
        set_digest(g);
        return PBY_OK;
    }
    if (groups == NULL && file == NULL)
        return pby_plan_refuse_key(place, "groups",
                                   "groups, file or hidden = true: which groups occur is a secret");
    if (place->reader->sealed)
        return groups == NULL ? pby_plan_refuse(place, "file", file, "groups")
                              : read_sealed(g, place, groups);
    return groups != NULL ? read_list(g, place, groups) : read_groups_file(g, place, file);
}
