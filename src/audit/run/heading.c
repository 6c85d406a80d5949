/* SPDX-License-Identifier: MIT */
#include "audit/run/heading.h"

#include <stdlib.h>
#include <string.h>

#include "audit/count/outcome.h"
#include "base/nearest.h"
#include "base/status.h"
#include "table/row/csv_row.h"

bool pby_heading_field(const char **field, size_t *size, const char **at, const char *end)
{
    if (*at == NULL)
        return false;
    const char *p = *at;
    bool quoted = false;
    *field = p;
    while (p < end && (quoted || *p != ',')) {
        quoted = *p == '"' ? !quoted : quoted;
        p++;
    }
    *size = (size_t)(p - *field);
    *at = p < end ? p + 1 : NULL;
    return true;
}

size_t pby_heading_fields(const char *line, size_t length)
{
    const char *at = line, *field;
    size_t size, count = 0;
    while (pby_heading_field(&field, &size, &at, line + length))
        count++;
    return count;
}

bool pby_heading_names(const char *line, size_t length)
{
    char *copy = strndup(line, length);
    const bool names = copy != NULL && pby_csv_row_names_columns(copy, pby_heading_fields(line, length));
    free(copy);
    return names;
}

bool pby_heading_numbers(const char *line, size_t length, size_t width)
{
    pby_outcome outcome;
    if (pby_heading_fields(line, length) != width)
        return false;
    pby_outcome_read(&outcome, line, length);
    for (size_t i = 0; i < outcome.count; i++)
        if (outcome.token[i].kind == PBY_NUMBER)
            return true;
    return false;
}

/* ---- names ------------------------------------------------------------------------------------ */

/* A field without its quotes and the blanks around it, for free(3). */
static char *name_of(const char *field, size_t size)
{
    while (size > 0 && (*field == ' ' || *field == '"')) {
        field++;
        size--;
    }
    while (size > 0 && (field[size - 1] == ' ' || field[size - 1] == '"'))
        size--;
    return strndup(field, size);
}

static pby_status read_names(pby_heading *out, const char *line, size_t length, pby_error *err)
{
    const char *at = line, *field;
    size_t size;
    while (pby_heading_field(&field, &size, &at, line + length)) {
        if (out->width == PBY_HEADING_COLUMNS)
            return pby_fail(err, PBY_BAD, "columns: expected at most %d in the first line",
                            PBY_HEADING_COLUMNS);
        if ((out->name[out->width] = name_of(field, size)) == NULL)
            return pby_no_memory(err);
        out->width++;
    }
    return PBY_OK;
}

static pby_status choose(pby_heading *out, const char *name, pby_error *err)
{
    size_t column;
    const pby_status status = pby_name_find(&column, (const char *const *)out->name, "columns", name, err);
    if (status != PBY_OK)
        return status;
    for (size_t i = 0; i < out->chosen; i++)
        if (out->column[i] == column)
            return pby_refuse(err, "columns", name, "each column once, not twice");
    out->column[out->chosen++] = column;
    return PBY_OK;
}

pby_status pby_heading_read(pby_heading *out, const char *line, size_t length, const char *chosen,
                            pby_error *err)
{
    *out = (pby_heading){.there = true, .asked = chosen != NULL};
    pby_status status = read_names(out, line, length, err);
    const char *at = chosen, *field;
    size_t size;
    while (status == PBY_OK && chosen != NULL &&
           pby_heading_field(&field, &size, &at, chosen + strlen(chosen))) {
        char *name = name_of(field, size);
        status = name == NULL ? pby_no_memory(err) : choose(out, name, err);
        free(name);
    }
    if (status != PBY_OK)
        pby_heading_clear(out);
    return status;
}

void pby_heading_clear(pby_heading *heading)
{
    for (size_t i = 0; i < heading->width; i++)
        free(heading->name[i]);
    *heading = (pby_heading){.there = false};
}

/* ---- lines ------------------------------------------------------------------------------------ */

bool pby_heading_choose(char *out, size_t *size, const pby_heading *heading, const char *line, size_t length)
{
    const char *field[PBY_HEADING_COLUMNS], *at = line, *next;
    size_t sizes[PBY_HEADING_COLUMNS], width = 0, part;
    for (; pby_heading_field(&next, &part, &at, line + length); width++)
        if (width < heading->width) {
            field[width] = next;
            sizes[width] = part;
        }
    *size = 0;
    if (width != heading->width)
        return false;
    for (size_t i = 0; i < heading->chosen; i++) {
        const size_t column = heading->column[i];
        if (i > 0)
            out[(*size)++] = ',';
        memcpy(out + *size, field[column], sizes[column]);
        *size += sizes[column];
    }
    return true;
}
