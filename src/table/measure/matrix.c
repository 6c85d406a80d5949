/* SPDX-License-Identifier: MIT */
#include "table/measure/matrix.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "io/file.h"
#include "probity/rational.h"
#include "table/row/csv_row.h"
#include "table/row/field.h"

enum { NUMBER_SIZE = 4200 };

/* A table on its way in. */
struct reading {
    const char *path;
    const pby_matrix_form *form;
    pby_matrix *matrix;
    uint8_t *scratch;
    const uint8_t *end;
    uint64_t line;
    mpq_t number;
};

const pby_matrix_form pby_matrix_named = {
    .header = "a first line that names the columns",
    .narrow = "a column beside that of the names",
    .row = "a line NAME,NUMBER,...",
    .name = "a name that occurs once",
    .value = "a rational such as 1, 1/3 or 0.25",
    .column = "a name that occurs once",
};

static pby_status refuse(const struct reading *r, unsigned column, const char *expected, pby_error *err)
{
    return pby_field_refuse(r->path, r->line, column, expected, err);
}

/* twice: what is expected of a name that is there already; NULL where it may be. */
static pby_status add_name(struct reading *r, pby_names *names, const pby_csv_row *field, unsigned column,
                           const char *twice, pby_error *err)
{
    size_t size, number;
    const uint8_t *name = pby_csv_row_key(field, r->scratch, &size);
    const size_t before = pby_names_count(names);
    const pby_status status = pby_names_add(names, name, size, &number, err);
    return status == PBY_OK && number < before ? refuse(r, column, twice, err) : status;
}

static pby_status read_header(struct reading *r, const uint8_t **at, pby_error *err)
{
    pby_csv_row field;
    unsigned column = 0;
    uint64_t newlines = 0;
    pby_status status = PBY_OK;
    for (bool more = true; more && status == PBY_OK; *at = field.end) {
        column++;
        if (*at >= r->end || pby_csv_row_field(&field, column, *at, r->end, &more) != PBY_ROW_FOUND)
            return refuse(r, column, r->form->header, err);
        newlines += field.newlines;
        if (column > 1 && r->form->column != NULL)
            status = add_name(r, r->matrix->columns, &field, column, r->form->column, err);
    }
    if (status == PBY_OK && column == 1)
        return refuse(r, 2, r->form->narrow, err);
    r->matrix->width = column - 1;
    r->line += newlines + 1;
    return status;
}

/* Room for the row that was named last. */
static pby_status grow(struct reading *r, pby_error *err)
{
    pby_matrix *g = r->matrix;
    const size_t rows = pby_names_count(g->rows), need = rows * g->width;
    if (rows > PBY_MATRIX_ROWS_MAX)
        return refuse(r, 1, "at most 1000000 lines", err);
    if (need > PBY_MATRIX_VALUES_MAX)
        return refuse(r, 1, "a smaller table", err);
    if (need <= g->room)
        return PBY_OK;
    fmpq *value = reallocarray(g->value, 2 * need, sizeof *value);
    if (value == NULL)
        return pby_no_memory(err);
    g->value = value;
    for (; g->room < 2 * need; g->room++)
        fmpq_init(value + g->room);
    return PBY_OK;
}

static pby_status read_number(struct reading *r, const pby_csv_row *field, unsigned column, pby_error *err)
{
    char text[NUMBER_SIZE];
    size_t size;
    const pby_matrix *g = r->matrix;
    const uint8_t *bytes = pby_csv_row_key(field, r->scratch, &size);
    fmpq *const value = g->value + (pby_names_count(g->rows) - 1) * g->width + column - 2;
    bool good = size < sizeof text && memchr(bytes, '\0', size) == NULL;
    if (good) {
        memcpy(text, bytes, size);
        text[size] = '\0';
        good = pby_rational_parse(r->number, "number", text, NULL) == PBY_OK;
    }
    if (good) {
        fmpq_set_mpq(value, r->number);
        good = r->form->fits == NULL || r->form->fits(value);
    }
    return good ? PBY_OK : refuse(r, column, r->form->value, err);
}

static pby_status read_field(struct reading *r, const pby_csv_row *field, unsigned column, pby_error *err)
{
    if (column > r->matrix->width + 1)
        return refuse(r, column, "as many columns as the first line has", err);
    if (column > 1)
        return read_number(r, field, column, err);
    const pby_status status = add_name(r, r->matrix->rows, field, column, r->form->name, err);
    return status == PBY_OK ? grow(r, err) : status;
}

static pby_status read_row(struct reading *r, const uint8_t **at, pby_error *err)
{
    pby_csv_row field;
    pby_status status = PBY_OK;
    unsigned column = 0;
    uint64_t newlines = 0;
    for (bool more = true; more && status == PBY_OK; *at = field.end) {
        column++;
        if (pby_csv_row_field(&field, column, *at, r->end, &more) != PBY_ROW_FOUND)
            return refuse(r, column, field.expected, err);
        newlines += field.newlines;
        status = read_field(r, &field, column, err);
    }
    if (status == PBY_OK && column < r->matrix->width + 1)
        return refuse(r, column + 1, "as many columns as the first line has", err);
    r->line += newlines + 1;
    return status;
}

static pby_status read_all(struct reading *r, const char *text, size_t size, pby_error *err)
{
    const uint8_t *at = (const uint8_t *)text;
    r->end = at + size;
    at += pby_csv_row_mark(at, r->end);
    pby_digest_bytes(&r->matrix->digest, text, size);
    pby_status status = read_header(r, &at, err);
    while (at < r->end && status == PBY_OK)
        status = read_row(r, &at, err);
    return status == PBY_OK && pby_names_count(r->matrix->rows) == 0 ? refuse(r, 1, r->form->row, err)
                                                                     : status;
}

pby_status pby_matrix_parse(pby_matrix *out, const char *path, const char *text, size_t size,
                            const pby_matrix_form *form, pby_error *err)
{
    *out = (pby_matrix){.room = 0};
    struct reading r = {.path = path, .form = form, .matrix = out, .line = 1};
    r.scratch = malloc(size < PBY_ROW_KEY_MAX ? size + 1 : PBY_ROW_KEY_MAX);
    mpq_init(r.number);
    pby_status status = r.scratch == NULL ? pby_no_memory(err) : pby_names_new(&out->rows, err);
    if (status == PBY_OK)
        status = pby_names_new(&out->columns, err);
    if (status == PBY_OK)
        status = read_all(&r, text, size, err);
    mpq_clear(r.number);
    free(r.scratch);
    return status;
}

pby_status pby_matrix_read(pby_matrix *out, const char *path, const pby_matrix_form *form, pby_error *err)
{
    char *text = NULL;
    size_t size = 0;
    *out = (pby_matrix){.room = 0};
    pby_status status = pby_file_read_table(&text, &size, path, err);
    if (status == PBY_OK)
        status = pby_matrix_parse(out, path, text, size, form, err);
    free(text);
    return status;
}

void pby_matrix_clear(pby_matrix *matrix)
{
    for (size_t i = 0; i < matrix->room; i++)
        fmpq_clear(matrix->value + i);
    free(matrix->value);
    pby_names_free(matrix->rows);
    pby_names_free(matrix->columns);
}
