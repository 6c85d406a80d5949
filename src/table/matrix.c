#include "table/matrix.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "io/file.h"
#include "probity/rational.h"
#include "table/csv_row.h"
#include "table/field.h"

enum { NUMBER_SIZE = 4200, VALUES_MAX = 1 << 24 };

/* A table on its way in. */
struct reading {
    const char *path;
    pby_matrix *matrix;
    uint8_t *scratch;
    const uint8_t *end;
    uint64_t line;
};

void pby_matrix_clear(pby_matrix *matrix)
{
    for (size_t i = 0; i < matrix->room; i++)
        mpq_clear(matrix->value[i]);
    free(matrix->value);
    pby_names_free(matrix->rows);
    pby_names_free(matrix->columns);
}

static pby_status refuse(const struct reading *r, unsigned column, const char *expected, pby_error *err)
{
    return pby_field_refuse(r->path, r->line, column, expected, err);
}

static pby_status add_name(struct reading *r, pby_names *names, const pby_csv_row *field, unsigned column,
                           pby_error *err)
{
    size_t size, number;
    const uint8_t *name = pby_csv_row_key(field, r->scratch, &size);
    const size_t before = pby_names_count(names);
    const pby_status status = pby_names_add(names, name, size, &number, err);
    return status == PBY_OK && number < before ? refuse(r, column, "a name that occurs once", err) : status;
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
            return refuse(r, column, "a first line that names the columns", err);
        newlines += field.newlines;
        if (column > 1)
            status = add_name(r, r->matrix->columns, &field, column, err);
    }
    r->line += newlines + 1;
    if (status == PBY_OK && column == 1) {
        r->line = 1;
        return refuse(r, 2, "a column beside that of the names", err);
    }
    return status;
}

/* Room for a row more. */
static pby_status grow(struct reading *r, pby_error *err)
{
    pby_matrix *g = r->matrix;
    const size_t need = pby_names_count(g->rows) * pby_names_count(g->columns);
    if (need > VALUES_MAX)
        return refuse(r, 1, "a smaller table", err);
    if (need <= g->room)
        return PBY_OK;
    mpq_t *value = reallocarray(g->value, 2 * need, sizeof *value);
    if (value == NULL)
        return pby_no_memory(err);
    g->value = value;
    for (; g->room < 2 * need; g->room++)
        mpq_init(value[g->room]);
    return PBY_OK;
}

static pby_status read_number(struct reading *r, const pby_csv_row *field, unsigned column, pby_error *err)
{
    char text[NUMBER_SIZE];
    size_t size;
    const pby_matrix *g = r->matrix;
    const uint8_t *bytes = pby_csv_row_key(field, r->scratch, &size);
    const size_t at = (pby_names_count(g->rows) - 1) * pby_names_count(g->columns) + column - 2;
    bool good = size < sizeof text;
    if (good) {
        memcpy(text, bytes, size);
        text[size] = '\0';
        good = pby_rational_parse(g->value[at], "number", text, NULL) == PBY_OK;
    }
    return good ? PBY_OK : refuse(r, column, "a rational such as 1, 1/3 or 0.25", err);
}

static pby_status read_row(struct reading *r, const uint8_t **at, pby_error *err)
{
    const size_t columns = pby_names_count(r->matrix->columns);
    pby_csv_row field;
    pby_status status = PBY_OK;
    unsigned column = 0;
    uint64_t newlines = 0;
    for (bool more = true; more && status == PBY_OK; *at = field.end) {
        column++;
        if (pby_csv_row_field(&field, column, *at, r->end, &more) != PBY_ROW_FOUND)
            return refuse(r, column, field.expected, err);
        newlines += field.newlines;
        if (column > columns + 1)
            return refuse(r, column, "as many columns as the first line has", err);
        status = column > 1 ? read_number(r, &field, column, err)
                            : add_name(r, r->matrix->rows, &field, column, err);
        if (status == PBY_OK && column == 1)
            status = grow(r, err);
    }
    if (status == PBY_OK && column < columns + 1)
        return refuse(r, column + 1, "as many columns as the first line has", err);
    r->line += newlines + 1;
    return status;
}

static pby_status read_all(struct reading *r, const char *text, size_t size, pby_error *err)
{
    const uint8_t *at = (const uint8_t *)text;
    r->end = at + size;
    at += pby_csv_row_mark(at, r->end);
    pby_status status = read_header(r, &at, err);
    while (at < r->end && status == PBY_OK)
        status = read_row(r, &at, err);
    return status == PBY_OK && pby_names_count(r->matrix->rows) == 0
               ? refuse(r, 1, "a line NAME,NUMBER,...", err)
               : status;
}

pby_status pby_matrix_read(pby_matrix *out, const char *path, pby_error *err)
{
    char *text = NULL;
    size_t size = 0;
    *out = (pby_matrix){.room = 0};
    struct reading r = {.path = path, .matrix = out, .line = 1, .scratch = malloc(PBY_ROW_KEY_MAX)};
    pby_status status = r.scratch == NULL ? pby_no_memory(err) : pby_names_new(&out->rows, err);
    if (status == PBY_OK)
        status = pby_names_new(&out->columns, err);
    if (status == PBY_OK)
        status = pby_file_read_table(&text, &size, path, err);
    if (status == PBY_OK)
        status = read_all(&r, text, size, err);
    free(r.scratch);
    free(text);
    return status;
}
