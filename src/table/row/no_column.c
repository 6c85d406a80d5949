/* SPDX-License-Identifier: MIT */
#include "table/row/no_column.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "table/row/csv_row.h"
#include "table/row/layout.h"

enum { NAMES = 64 };

/* One row of fields; returns the next, or NULL where it cannot be read. */
static const uint8_t *read_fields(pby_csv_row *field, size_t *count, const uint8_t *at, const uint8_t *end)
{
    bool more = true;
    *count = 0;
    while (more) {
        if (*count == NAMES || pby_csv_row_field(&field[*count], 1, at, end, &more) != PBY_ROW_FOUND)
            return NULL;
        at = field[(*count)++].end;
    }
    return at;
}

static bool all_names(const uint8_t *first, const uint8_t *next, size_t count)
{
    size_t size = (size_t)(next - first);
    while (size > 0 && (first[size - 1] == '\n' || first[size - 1] == '\r'))
        size--;
    char *line = strndup((const char *)first, size);
    const bool names = line != NULL && pby_csv_row_names_columns(line, count);
    free(line);
    return names;
}

static bool has_number(const pby_csv_row *field, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *text = (const char *)field[i].key;
        size_t size = field[i].key_size;
        const size_t sign = size > 1 && *text == '-';
        if (size - sign > 0 && strspn(text + sign, "0123456789.") >= size - sign && text[sign] != '.')
            return true;
    }
    return false;
}

/* True if a header was read, with all its names. */
static bool read_header(pby_csv_row *field, size_t *count, const uint8_t *first, const uint8_t *end,
                        bool known)
{
    pby_csv_row below[NAMES];
    size_t width;
    const uint8_t *next = read_fields(field, count, first, end);
    if (next == NULL || known)
        return next != NULL;
    return all_names(first, next, *count) && next < end && read_fields(below, &width, next, end) != NULL &&
           width == *count && has_number(below, width);
}

static const char *separated(const uint8_t *first, const uint8_t *end)
{
    const uint8_t *line = memchr(first, '\n', (size_t)(end - first));
    const size_t size = (size_t)((line == NULL ? end : line) - first);
    if (memchr(first, ',', size) != NULL)
        return PBY_NO_COLUMN;
    return memchr(first, ';', size) != NULL    ? PBY_NO_COLUMN_SEMICOLON
           : memchr(first, '\t', size) != NULL ? PBY_NO_COLUMN_TAB
                                               : PBY_NO_COLUMN;
}

pby_status pby_refuse_column(pby_error *err, const char *argument, const char *name, const uint8_t *first,
                             const uint8_t *end, bool known)
{
    pby_csv_row field[NAMES];
    char shown[NAMES][PBY_LAYOUT_NAME], expected[PBY_ERROR_SIZE] = PBY_NO_COLUMN;
    const char *names[NAMES + 1] = {NULL};
    size_t count;
    if (!read_header(field, &count, first, end, known))
        return pby_refuse(err, argument, name, separated(first, end));
    for (size_t i = 0; i < count; i++) {
        const size_t at = strlen(expected);
        pby_layout_name(shown[i], field[i].key, field[i].key_size);
        names[i] = shown[i];
        snprintf(expected + at, sizeof expected - at, "%s%s", i == 0 ? ": " : ", ", shown[i]);
    }
    return pby_refuse_guess(err, argument, name, expected, name, names);
}
