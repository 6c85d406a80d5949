/* SPDX-License-Identifier: MIT */
#include "table/map/columns.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "io/file.h"
#include "number/scoped.h"
#include "probity/rational.h"
#include "table/row/csv_row.h"
#include "table/row/field.h"
#include "table/row/no_column.h"
#include "table/store/entries.h"
#include "table/store/key_row.h"

/* A table on its way to a histogram. */
typedef struct columns {
    const char *path;
    const pby_columns_choice *choice;
    unsigned width;             /* of the table */
    pby_layout *layout;         /* of the histogram */
    pby_entries *entries;       /* the histogram */
    uint8_t *scratch;           /* for a name with escapes */
    pby_key_row key;            /* of several columns */
    uint64_t line;              /* of the next row, from 1 */
    const uint8_t *first, *end; /* of the table, without a byte order mark */
} columns;

static pby_status refuse(const columns *c, uint64_t newlines, unsigned column, const char *expected,
                         pby_error *err)
{
    return pby_field_refuse(c->path, c->line + newlines, column, expected, err);
}

/* ---- the header -------------------------------------------------------------------------------- */

static bool is_called(columns *c, const pby_csv_row *field, const char *name)
{
    size_t size;
    const uint8_t *called = pby_csv_row_key(field, c->scratch, &size);
    return name != NULL && size == strlen(name) && memcmp(called, name, size) == 0;
}

/* Notes the column if it has the name; a second one of that name is refused. */
static pby_status note(columns *c, unsigned *column, const pby_csv_row *field, const char *option,
                       const char *name, pby_error *err)
{
    if (!is_called(c, field, name))
        return PBY_OK;
    if (*column != 0)
        return pby_refuse(err, option, name, "the name of one column, not of two");
    *column = c->width;
    return PBY_OK;
}

static bool is_key(const columns *c, unsigned column)
{
    for (size_t i = 0; i < c->layout->keys; i++)
        if (c->layout->key[i] == column)
            return true;
    return false;
}

/* The column that was not chosen, if there is one such. */
static pby_status complete(columns *c, pby_error *err)
{
    pby_layout *r = c->layout;
    const pby_arguments *names = c->choice->names;
    const bool keyed = r->keys > 0;
    if (keyed && r->count != 0)
        return PBY_OK;
    if (c->width != (keyed ? r->keys + 1 : 2))
        return pby_fail(
            err, PBY_BAD, "%s: expected it beside %s, as the table has not %s",
            keyed ? pby_argument_name(names, c->choice->count) : pby_argument_name(names, PBY_ARG_KEYS),
            keyed ? pby_argument_name(names, PBY_ARG_KEYS) : pby_argument_name(names, c->choice->count),
            r->keys > 1 ? "one column more" : "two columns");
    if (!keyed) {
        r->key[r->keys++] = 3 - r->count;
        return PBY_OK;
    }
    for (unsigned column = 1; column <= c->width; column++)
        if (!is_key(c, column))
            r->count = column;
    return PBY_OK;
}

/* Refuses a column that the choice names and the header does not have. */
static pby_status check_chosen(columns *c, pby_error *err)
{
    const pby_key_names *keys = c->choice->keys;
    const char *counts = c->choice->counts;
    const pby_arguments *names = c->choice->names;
    char expected[96];
    bool known = c->layout->count != 0;
    for (size_t i = 0; keys != NULL && i < keys->count; i++)
        known = known || c->layout->key[i] != 0;
    for (size_t i = 0; keys != NULL && i < keys->count; i++)
        if (c->layout->key[i] == 0)
            return pby_refuse_column(err, pby_argument_name(names, PBY_ARG_KEYS), keys->name[i], c->first,
                                     c->end, known);
    if (counts != NULL && c->layout->count == 0)
        return pby_refuse_column(err, pby_argument_name(names, c->choice->count), counts, c->first, c->end,
                                 known);
    if (counts != NULL && is_key(c, c->layout->count)) {
        snprintf(expected, sizeof expected, "another column than that of %s",
                 pby_argument_name(names, PBY_ARG_KEYS));
        return pby_refuse(err, pby_argument_name(names, c->choice->count), counts, expected);
    }
    return complete(c, err);
}

static pby_status read_header(columns *c, const uint8_t **at, const uint8_t *end, pby_error *err)
{
    const pby_columns_choice *choice = c->choice;
    uint64_t newlines = 0;
    pby_status status = *at == end ? refuse(c, 0, 1, "a line that names the columns", err) : PBY_OK;
    c->layout->keys = choice->keys == NULL ? 0 : choice->keys->count;
    for (bool more = true; more && status == PBY_OK;) {
        pby_csv_row field;
        if (pby_csv_row_field(&field, ++c->width, *at, end, &more) != PBY_ROW_FOUND)
            return refuse(c, newlines, c->width, field.expected, err);
        for (size_t i = 0; i < c->layout->keys && status == PBY_OK; i++)
            status = note(c, &c->layout->key[i], &field, pby_argument_name(choice->names, PBY_ARG_KEYS),
                          choice->keys->name[i], err);
        if (status == PBY_OK)
            status = note(c, &c->layout->count, &field, pby_argument_name(choice->names, choice->count),
                          choice->counts, err);
        newlines += field.newlines;
        *at = field.end;
    }
    c->line += newlines + 1;
    return status == PBY_OK ? check_chosen(c, err) : status;
}

/* ---- the rows ---------------------------------------------------------------------------------- */

/* The fields of a row that are counted: those that name the bar, and its count. */
struct fields {
    pby_csv_row key[PBY_LAYOUT_KEYS], count;
    uint64_t newlines; /* of the row before its count */
};

/* The key of a bar; of several columns their fields, as a row. */
static pby_status make_key(columns *c, const pby_csv_row *field, const uint8_t **key, size_t *size,
                           pby_error *err)
{
    if (c->layout->keys == 1) {
        *key = pby_csv_row_key(field, c->scratch, size);
        return PBY_OK;
    }
    pby_status status = PBY_OK;
    pby_key_row_begin(&c->key);
    for (size_t i = 0; i < c->layout->keys && status == PBY_OK; i++) {
        const uint8_t *name = pby_csv_row_key(&field[i], c->scratch, size);
        status = pby_key_row_add(&c->key, name, *size, err);
    }
    *key = c->key.bytes;
    *size = c->key.size;
    return status;
}

/* Sets *count to value / step and returns true; returns false unless that is a whole number from 0 on that
 * fits. */
static bool count_steps(int64_t *count, const uint8_t *text, size_t size, mpq_srcptr step)
{
    char *copy = strndup((const char *)text, size);
    PBY_MPQ(value);
    bool good = copy != NULL && strlen(copy) == size && pby_rational_parse(value, "", copy, NULL) == PBY_OK &&
                mpq_sgn(value) >= 0;
    if (good)
        mpq_div(value, value, step);
    good = good && mpz_cmp_ui(mpq_denref(value), 1) == 0 && mpz_fits_slong_p(mpq_numref(value));
    *count = good ? mpz_get_si(mpq_numref(value)) : 0;
    if (copy != NULL)
        sodium_memzero(copy, size);
    free(copy);
    return good;
}

static pby_status add_row(columns *c, const struct fields *f, pby_error *err)
{
    int64_t count;
    size_t size;
    const uint8_t *key, *text = pby_csv_row_key(&f->count, c->scratch, &size);
    const mpq_srcptr step = c->choice->step;
    const bool counted = step == NULL ? pby_csv_row_count(&count, text, size)
                                      : count_steps(&count, text, size, step);
    const char *expected = counted ? NULL : pby_csv_row_count_expected(text, size, NULL);
    const pby_status status = make_key(c, f->key, &key, &size, err);
    if (status != PBY_OK)
        return status;
    if (size > PBY_ROW_KEY_MAX)
        return refuse(c, f->newlines, c->layout->key[0], "at most 1048576 bytes", err);
    if (!counted)
        return refuse(c, f->newlines, c->layout->count,
                      step == NULL ? expected : "a multiple of the step, 0 or more, below 2^63 steps", err);
    return pby_entries_add(c->entries, key, size, count, c->line, (uint32_t)f->newlines, err);
}

/* Notes a field that is counted. */
static void take_field(const columns *c, struct fields *f, unsigned column, const pby_csv_row *field)
{
    for (size_t i = 0; i < c->layout->keys; i++)
        if (c->layout->key[i] == column)
            f->key[i] = *field;
    if (column == c->layout->count)
        f->count = *field;
}

static pby_status read_row(columns *c, const uint8_t **at, const uint8_t *end, pby_error *err)
{
    struct fields f = {.newlines = 0};
    uint64_t newlines = 0;
    bool more = true;
    for (unsigned column = 1; more; column++) {
        pby_csv_row field;
        if (column > c->width)
            return refuse(c, newlines, column, "no more columns than the first line names", err);
        if (pby_csv_row_field(&field, column, *at, end, &more) != PBY_ROW_FOUND)
            return refuse(c, newlines, column, field.expected, err);
        if (!more && column < c->width)
            return refuse(c, newlines, column + 1, "as many columns as the first line names", err);
        if (column == c->layout->count)
            f.newlines = newlines;
        take_field(c, &f, column, &field);
        newlines += field.newlines;
        *at = field.end;
    }
    const pby_status status = add_row(c, &f, err);
    c->line += newlines + 1;
    return status;
}

/* Copies the header's names of the columns into the layout. */
static void name_columns(columns *c, const struct fields *f)
{
    size_t size;
    for (size_t i = 0; i < c->layout->keys; i++) {
        const uint8_t *name = pby_csv_row_key(&f->key[i], c->scratch, &size);
        pby_layout_name(c->layout->key_name[i], name, size);
    }
    const uint8_t *name = pby_csv_row_key(&f->count, c->scratch, &size);
    pby_layout_name(c->layout->count_name, name, size);
}

/* The header again, which is known to be one. */
static pby_status add_header(columns *c, const uint8_t *mark, const uint8_t *at, const uint8_t *end,
                             pby_error *err)
{
    struct fields f = {.newlines = 0};
    bool more = true;
    for (unsigned column = 1; more; column++) {
        pby_csv_row field;
        if (pby_csv_row_field(&field, column, at, end, &more) != PBY_ROW_FOUND)
            break;
        take_field(c, &f, column, &field);
        at = field.end;
    }
    name_columns(c, &f);
    size_t size;
    const uint8_t *key;
    c->entries->marked = pby_csv_row_mark(mark, end) > 0;
    const pby_status status = make_key(c, f.key, &key, &size, err);
    return status == PBY_OK ? pby_entries_head(c->entries, key, size, err) : status;
}

static pby_status project(columns *c, const uint8_t *begin, const uint8_t *end, pby_error *err)
{
    const uint8_t *const first = begin + pby_csv_row_mark(begin, end), *at = first;
    c->first = first;
    c->end = end;
    pby_status status = read_header(c, &at, end, err);
    if (status == PBY_OK)
        status = add_header(c, begin, first, end, err);
    while (status == PBY_OK && at < end)
        status = read_row(c, &at, end, err);
    return status;
}

/* ---- all of it --------------------------------------------------------------------------------- */

pby_status pby_columns_parse(pby_csv **out, const char *name, const char *text, size_t size,
                             const pby_columns_choice *choice, pby_error *err)
{
    columns c = {.path = name, .choice = choice, .line = 1, .scratch = malloc(PBY_ROW_KEY_MAX)};
    *out = NULL;
    pby_status status = c.scratch == NULL ? pby_no_memory(err)
                                          : pby_entries_new(&c.entries, pby_path_text(name), err);
    if (status == PBY_OK) {
        c.layout = &c.entries->layout;
        *c.layout = (pby_layout){.header = true, .chosen = true};
        status = project(&c, (const uint8_t *)text, (const uint8_t *)text + size, err);
    }
    if (c.scratch != NULL)
        sodium_memzero(c.scratch, PBY_ROW_KEY_MAX);
    free(c.scratch);
    pby_key_row_clear(&c.key);
    if (status == PBY_OK)
        return pby_csv_of_entries(out, c.entries, err);
    pby_entries_free(c.entries);
    return status;
}

pby_status pby_columns_read(pby_csv **out, const char *path, const pby_columns_choice *choice, pby_error *err)
{
    char *text;
    size_t size;
    *out = NULL;
    pby_status status = pby_file_read_table(&text, &size, path, err);
    if (status != PBY_OK)
        return status;
    status = pby_columns_parse(out, path, text, size, choice, err);
    sodium_memzero(text, size);
    free(text);
    return status;
}
