/* SPDX-License-Identifier: MIT */
#include "table/measure/masses.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/status.h"
#include "io/file.h"
#include "probity/rational.h"
#include "table/row/csv_row.h"
#include "table/row/field.h"

/* A field of text as a text of its own: the byte behind it, which is not needed any more, becomes a NUL byte.
 */
static char *cut_out(char *text, const pby_csv_row *field)
{
    char *begin = text + ((const char *)field->key - text);
    size_t size = field->key_size;
    if (field->escapes > 0) /* it grows shorter, and so can be written where it stands */
        pby_csv_row_key(field, (uint8_t *)begin, &size);
    begin[size] = '\0';
    return begin;
}

/* Behind the first line, if that names columns. */
static char *skip_header(char *at, char *end, uint64_t *line)
{
    char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline != NULL ? newline : end;
    if (stop > at && stop[-1] == '\r')
        stop--;
    const char was = *stop;
    *stop = '\0';
    const bool header = strlen(at) == (size_t)(stop - at) && pby_csv_row_names_columns(at, 2);
    *stop = was;
    if (!header)
        return at;
    ++*line;
    return newline != NULL ? newline + 1 : end;
}

static pby_status add_row(pby_masses *t, const pby_csv_row *key, const pby_csv_row *mass, uint64_t line,
                          pby_error *err)
{
    PBY_RESERVE(t->row, t->room, t->count + 1, err);
    t->row[t->count++] = (pby_masses_row){cut_out(t->text, key), cut_out(t->text, mass), line};
    return PBY_OK;
}

static pby_status refuse_row(const pby_masses *t, uint64_t line, const pby_csv_row *row, pby_error *err)
{
    const char *expected = row->column == 1   ? row->expected
                           : row->column == 2 ? "a comma and a mass"
                                              : "two columns";
    return pby_field_refuse(t->path, line + row->newlines, row->column, expected, err);
}

static pby_status split(pby_masses *t, pby_error *err)
{
    char *end = t->text + t->size, *at = t->text + pby_csv_row_mark((uint8_t *)t->text, (uint8_t *)end);
    uint64_t line = 1;
    at = skip_header(at, end, &line);
    while (at < end) {
        pby_csv_row key, mass;
        if (pby_csv_row_names(&key, &mass, (uint8_t *)at, (uint8_t *)end) != PBY_ROW_FOUND)
            return refuse_row(t, line, &key, err);
        at = t->text + ((const char *)key.end - t->text);
        const pby_status status = add_row(t, &key, &mass, line, err);
        if (status != PBY_OK)
            return status;
        line += key.newlines + 1;
    }
    return PBY_OK;
}

pby_status pby_masses_get(mpq_t out, const pby_masses *t, size_t i, pby_error *err)
{
    bool mass = pby_rational_parse(out, "mass", t->row[i].mass, NULL) == PBY_OK;
    if (mass &&
        mpq_sgn(out) < 0) { /* a count that noise has made so holds no record; a law has no such mass */
        mass = mpz_cmp_ui(mpq_denref(out), 1) == 0;
        mpq_set_ui(out, 0, 1);
    }
    return mass ? PBY_OK
                : pby_field_refuse(t->path, t->row[i].line, 2, "a rational from 0 on, or an integer", err);
}

void pby_masses_clear(pby_masses *t)
{
    if (t->text != NULL)
        sodium_memzero(t->text, t->size);
    free(t->text);
    free(t->row);
}

pby_status pby_masses_read(pby_masses *t, const char *path, pby_error *err)
{
    *t = (pby_masses){.path = path};
    const pby_status status = pby_file_read_table(&t->text, &t->size, path, err);
    if (status != PBY_OK)
        t->text = NULL;
    return status == PBY_OK ? split(t, err) : status;
}
