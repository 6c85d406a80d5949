/* SPDX-License-Identifier: MIT */
#include "tests/cli/outputs.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>

#include "tests/audit/mechanisms.h"

void pby_outputs_write(const char *path, const char *name, double epsilon, int side, size_t from, size_t n,
                       const char *newline)
{
    FILE *out = fopen(path, "w");
    char line[SPECIMEN_LINE];
    specimen_random *random = specimen_random_new(81 + (uint64_t)side);
    cr_assert_not_null(out);
    for (size_t i = 0; i < from + n; i++) {
        specimen_find(name)->output(line, side, epsilon, random);
        if (i >= from)
            fprintf(out, "%s%s", line, newline);
    }
    fclose(out);
    specimen_random_free(random);
}

void pby_outputs_begin(pby_outputs *o, const char *name, double epsilon, size_t n)
{
    pby_folder_make(o->folder);
    pby_folder_path(o->left, o->folder, "left");
    pby_folder_path(o->right, o->folder, "right");
    pby_folder_path(o->other, o->folder, "other");
    pby_folder_path(o->more, o->folder, "more");
    pby_outputs_write(o->left, name, epsilon, 0, 0, n, "\n");
    pby_outputs_write(o->right, name, epsilon, 1, 0, n, "\n");
}

const char *pby_run_member(const pby_run *r, const char *key)
{
    static char text[256];
    json_t *object = json_loads(r->out, JSON_REJECT_DUPLICATES, NULL);
    cr_assert_not_null(object, "%.200s", r->out);
    const char *value = json_string_value(json_object_get(object, key));
    snprintf(text, sizeof text, "%s", value == NULL ? "" : value);
    json_decref(object);
    return text;
}

const char *pby_file_text(const char *path)
{
    static char text[1 << 16];
    FILE *in = fopen(path, "r");
    cr_assert_not_null(in);
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    return text;
}
