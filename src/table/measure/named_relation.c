/* SPDX-License-Identifier: MIT */
#include "table/measure/named_relation.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"
#include "io/file.h"
#include "table/measure/matrix.h"

struct source {
    const pby_names *names;
    const char *what, *argument, *path;
};

/* Sets *out if the table says 1 at the place of two names. */
static pby_status table_says(bool *out, const pby_matrix *table, const struct source *of, size_t i, size_t j,
                             pby_error *err)
{
    size_t size;
    const uint8_t *name = pby_names_get(of->names, i, &size);
    const size_t row = pby_names_find(table->rows, name, size);
    name = pby_names_get(of->names, j, &size);
    const size_t column = pby_names_find(table->columns, name, size);
    if (row == PBY_NO_NAME || column == PBY_NO_NAME) {
        char expected[96];
        snprintf(expected, sizeof expected, "a row and a column for every %s", of->what);
        return pby_refuse(err, of->argument, pby_path_text(of->path), expected);
    }
    const fmpq *x = table->value + row * table->width + column;
    if (!fmpq_is_zero(x) && !fmpq_is_one(x))
        return pby_refuse(err, of->argument, pby_path_text(of->path), "a table of 0 and 1");
    *out = fmpq_is_one(x);
    return PBY_OK;
}

static pby_status fill_relation(bool *near, const pby_matrix *table, const struct source *of, pby_error *err)
{
    const size_t n = pby_names_count(of->names);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            bool said = false;
            PBY_TRY(table_says(&said, table, of, i, j, err));
            if (said && i != j)
                near[i * n + j] = near[j * n + i] = true;
        }
    return PBY_OK;
}

pby_status pby_relation_read(bool **out, const pby_names *names, const char *what, const char *argument,
                             const char *path, pby_error *err)
{
    const struct source of = {names, what, argument, path};
    const size_t n = pby_names_count(names);
    pby_matrix table;
    *out = NULL;
    pby_status status = pby_matrix_read(&table, pby_path_named(path), &pby_matrix_named, err);
    if (status == PBY_OK) {
        *out = calloc(n * n + 1, sizeof **out);
        status = *out == NULL ? pby_no_memory(err) : fill_relation(*out, &table, &of, err);
    }
    pby_matrix_clear(&table);
    if (status != PBY_OK) {
        free(*out);
        *out = NULL;
    }
    return status;
}
