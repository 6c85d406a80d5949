/* SPDX-License-Identifier: MIT */
#include "lab/tables/measured.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "io/file.h"
#include "table/row/csv_row.h"
#include "table/row/field.h"
#include "table/store/rows.h"

static const char total_key[] = "total";

void pby_measured_clear(pby_measured *in)
{
    for (size_t i = 0; i < in->room; i++) {
        free(in->key[i]);
        free(in->field[i]);
    }
    free(in->key);
    free(in->field);
    free(in->bar);
    free(in->header);
}

static pby_status grow(pby_measured *in, pby_error *err)
{
    const size_t room = 2 * in->room + 64;
    char **key = reallocarray(in->key, room, sizeof *key);
    in->key = key == NULL ? in->key : key;
    char **field = reallocarray(in->field, room, sizeof *field);
    in->field = field == NULL ? in->field : field;
    int64_t *bar = reallocarray(in->bar, room, sizeof *bar);
    in->bar = bar == NULL ? in->bar : bar;
    if (key == NULL || field == NULL || bar == NULL)
        return pby_no_memory(err);
    for (; in->room < room; in->room++)
        key[in->room] = field[in->room] = NULL;
    return PBY_OK;
}

/* A key, and as a field of CSV. */
static pby_status copy_key(char **key, char **field, const pby_csv_row *row, pby_error *err)
{
    size_t size;
    *key = malloc(row->key_size + 1);
    *field = malloc(2 * row->key_size + 3);
    if (*key == NULL || *field == NULL)
        return pby_no_memory(err);
    const uint8_t *bytes = pby_csv_row_key(row, (uint8_t *)*key, &size);
    memmove(*key, bytes, size);
    (*key)[size] = '\0';
    *pby_put_name((uint8_t *)*field, (const uint8_t *)*key, size) = '\0';
    return PBY_OK;
}

static pby_status read_header(pby_measured *in, const uint8_t **at, const uint8_t *end, uint64_t *line,
                              pby_error *err)
{
    pby_csv_row row;
    char *key = NULL;
    *at += pby_csv_row_mark(*at, end);
    if (*at == end || pby_csv_row_header(&row, *at, end, true) != PBY_ROW_FOUND)
        return PBY_OK;
    const pby_status status = copy_key(&key, &in->header, &row, err);
    free(key);
    *at = row.end;
    *line += row.newlines + 1;
    return status;
}

static pby_status read_rows(pby_measured *in, const uint8_t *at, const uint8_t *end, const char *path,
                            pby_error *err)
{
    uint64_t line = 1;
    pby_csv_row row;
    pby_status status = read_header(in, &at, end, &line, err);
    for (; at < end && status == PBY_OK; at = row.end, line += row.newlines + 1) {
        if (pby_csv_row_released(&row, at, end) != PBY_ROW_FOUND)
            return pby_field_refuse(path, line + row.newlines, row.column, row.expected, err);
        status = in->count == in->room ? grow(in, err) : PBY_OK;
        if (status == PBY_OK)
            status = copy_key(&in->key[in->count], &in->field[in->count], &row, err);
        if (status == PBY_OK)
            in->bar[in->count++] = row.count;
    }
    if (status == PBY_OK && (in->count < 2 || strcmp(in->key[in->count - 1], total_key) != 0))
        return pby_fail_by(
            err, PBY_BAD, PBY_REASON_INPUT,
            "%s: expected rows KEY,COUNT and behind them total,COUNT, as microdata releases them",
            pby_path_text(path));
    if (status == PBY_OK)
        in->total = in->bar[--in->count];
    return status;
}

pby_status pby_measured_read(pby_measured *out, const char *path, pby_error *err)
{
    char *text;
    size_t size;
    *out = (pby_measured){.count = 0};
    pby_status status = pby_file_read_table(&text, &size, path, err);
    if (status != PBY_OK)
        return status;
    status = read_rows(out, (const uint8_t *)text, (const uint8_t *)text + size, path, err);
    free(text);
    return status;
}
