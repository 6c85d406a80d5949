#include "table/columns.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "io/file.h"
#include "table/csv_row.h"
#include "table/field.h"
#include "table/rows.h"

enum { NAME_SIZE = 192 };

static const char count_name[] = "count";

struct pby_columns {
    const char *path;
    const pby_columns_choice *choice;
    unsigned width; /* of the table */
    pby_layout layout;
    uint8_t *bytes, *scratch; /* for a name with escapes */
    size_t size, room;
    uint64_t line;    /* of the next row, from 1 */
    bool line_breaks; /* in a field that was left out: the histogram has fewer lines than the table */
    char name[NAME_SIZE];
};

void pby_columns_free(pby_columns *c)
{
    if (c == NULL)
        return;
    if (c->bytes != NULL)
        sodium_memzero(c->bytes, c->room);
    if (c->scratch != NULL)
        sodium_memzero(c->scratch, PBY_ROW_KEY_MAX);
    free(c->bytes);
    free(c->scratch);
    free(c);
}

static pby_status refuse(const pby_columns *c, uint64_t newlines, unsigned column, const char *expected,
                         pby_error *err)
{
    return pby_field_refuse(c->path, c->line + newlines, column, expected, err);
}

/* ---- the header -------------------------------------------------------------------------------- */

static bool is_called(pby_columns *c, const pby_csv_row *field, const char *name)
{
    size_t size;
    const uint8_t *called = pby_csv_row_key(field, c->scratch, &size);
    return name != NULL && size == strlen(name) && memcmp(called, name, size) == 0;
}

/* Notes the column if it has the name; a second one of that name is refused. */
static pby_status note(pby_columns *c, unsigned *column, const pby_csv_row *field, const char *option,
                       const char *name, pby_error *err)
{
    if (!is_called(c, field, name))
        return PBY_OK;
    if (*column != 0)
        return pby_refuse(err, option, name, "the name of one column, not of two");
    *column = c->width;
    return PBY_OK;
}

/* The column that was not chosen, if there is one such. */
static pby_status complete(pby_columns *c, pby_error *err)
{
    pby_layout *r = &c->layout;
    const char *keys = c->choice->keys, *counts = c->choice->counts;
    const pby_arguments *names = c->choice->names;
    char expected[96];
    static const char missing[] = "the name of a column in the first line";
    if (keys != NULL && r->key == 0)
        return pby_refuse(err, names->keys, keys, missing);
    if (counts != NULL && r->count == 0)
        return pby_refuse(err, names->counts, counts, missing);
    if (r->key == r->count) {
        snprintf(expected, sizeof expected, "another column than that of %s", names->keys);
        return pby_refuse(err, names->counts, counts, expected);
    }
    if (r->key != 0 && r->count != 0)
        return PBY_OK;
    if (c->width != 2)
        return pby_fail(err, PBY_BAD, "%s: expected it beside %s, as the table has not two columns",
                        r->key == 0 ? names->keys : names->counts, r->key == 0 ? names->counts : names->keys);
    r->key = r->key == 0 ? 3 - r->count : r->key;
    r->count = 3 - r->key;
    return PBY_OK;
}

static pby_status read_header(pby_columns *c, const uint8_t **at, const uint8_t *end, pby_error *err)
{
    const pby_columns_choice *choice = c->choice;
    uint64_t newlines = 0;
    pby_status status = *at == end ? refuse(c, 0, 1, "a line that names the columns", err) : PBY_OK;
    for (bool more = true; more && status == PBY_OK;) {
        pby_csv_row field;
        if (pby_csv_row_field(&field, ++c->width, *at, end, &more) != PBY_ROW_FOUND)
            return refuse(c, newlines, c->width, field.expected, err);
        status = note(c, &c->layout.key, &field, choice->names->keys, choice->keys, err);
        if (status == PBY_OK)
            status = note(c, &c->layout.count, &field, choice->names->counts, choice->counts, err);
        newlines += field.newlines;
        *at = field.end;
    }
    c->line += newlines + 1;
    return status == PBY_OK ? complete(c, err) : status;
}

/* ---- the rows ---------------------------------------------------------------------------------- */

/* Room for two fields of these sizes, in quotes. */
static pby_status make_room(pby_columns *c, size_t size, pby_error *err)
{
    const size_t wanted = c->size + 2 * size + 8;
    if (wanted <= c->room)
        return PBY_OK;
    const size_t room = 2 * wanted;
    uint8_t *bytes = malloc(room);
    if (bytes == NULL)
        return pby_no_memory(err);
    if (c->bytes != NULL) {
        memcpy(bytes, c->bytes, c->size);
        sodium_memzero(c->bytes, c->room);
    }
    free(c->bytes);
    c->bytes = bytes;
    c->room = room;
    return PBY_OK;
}

static uint8_t *put_field(pby_columns *c, uint8_t *to, const pby_csv_row *field)
{
    size_t size;
    const uint8_t *name = pby_csv_row_key(field, c->scratch, &size);
    return pby_put_name(to, name, size);
}

/* Appends the row, and has it read as a release will read it. */
static pby_status add_row(pby_columns *c, const pby_csv_row *key, const pby_csv_row *count, uint64_t newlines,
                          pby_error *err)
{
    pby_csv_row row;
    const pby_status status = make_room(c, key->key_size + count->key_size, err);
    if (status != PBY_OK)
        return status;
    uint8_t *const begin = c->bytes + c->size, *to = put_field(c, begin, key);
    *to++ = ',';
    to = put_field(c, to, count);
    *to++ = '\n';
    *to = '\0';
    c->size = (size_t)(to - c->bytes);
    if (pby_csv_row_parse(&row, begin, to, true) == PBY_ROW_FOUND)
        return PBY_OK;
    return refuse(c, newlines, row.column == 1 ? c->layout.key : c->layout.count, row.expected, err);
}

static pby_status read_row(pby_columns *c, const uint8_t **at, const uint8_t *end, pby_error *err)
{
    pby_csv_row key = {.key = NULL}, count = {.key = NULL};
    uint64_t newlines = 0, count_line = 0;
    bool more = true;
    for (unsigned column = 1; more; column++) {
        pby_csv_row field;
        if (column > c->width)
            return refuse(c, newlines, column, "no more columns than the first line names", err);
        if (pby_csv_row_field(&field, column, *at, end, &more) != PBY_ROW_FOUND)
            return refuse(c, newlines, column, field.expected, err);
        if (!more && column < c->width)
            return refuse(c, newlines, column + 1, "as many columns as the first line names", err);
        if (column == c->layout.key)
            key = field;
        if (column == c->layout.count) {
            count = field;
            count_line = newlines;
        }
        c->line_breaks = c->line_breaks || (field.newlines > 0 && column != c->layout.key);
        newlines += field.newlines;
        *at = field.end;
    }
    const pby_status status = add_row(c, &key, &count, count_line, err);
    c->line += newlines + 1;
    return status;
}

/* The header again, which is known to be one: the key's name is written, and the count's is a constant, which
 * every reader takes for a name. */
static pby_status add_header(pby_columns *c, const uint8_t *mark, const uint8_t *at, const uint8_t *end,
                             pby_error *err)
{
    pby_csv_row key = {.key = NULL};
    bool more = true;
    size_t size;
    for (unsigned column = 1; more; column++) {
        pby_csv_row field;
        if (pby_csv_row_field(&field, column, at, end, &more) != PBY_ROW_FOUND)
            break;
        const uint8_t *name = pby_csv_row_key(&field, c->scratch, &size);
        if (column == c->layout.key) {
            key = field;
            pby_layout_name(c->layout.key_name, name, size);
        } else if (column == c->layout.count) {
            pby_layout_name(c->layout.count_name, name, size);
        }
        at = field.end;
    }
    const size_t marked = pby_csv_row_mark(mark, end);
    const pby_status status = make_room(c, marked + key.key_size + sizeof count_name, err);
    if (status != PBY_OK)
        return status;
    uint8_t *to = put_field(c, (uint8_t *)mempcpy(c->bytes, mark, marked), &key);
    *to++ = ',';
    to = (uint8_t *)mempcpy(to, count_name, strlen(count_name));
    *to++ = '\n';
    c->size = (size_t)(to - c->bytes);
    return PBY_OK;
}

static pby_status project(pby_columns *c, const uint8_t *begin, const uint8_t *end, pby_error *err)
{
    const uint8_t *const first = begin + pby_csv_row_mark(begin, end), *at = first;
    pby_status status = read_header(c, &at, end, err);
    if (status == PBY_OK)
        status = add_header(c, begin, first, end, err);
    while (status == PBY_OK && at < end)
        status = read_row(c, &at, end, err);
    return status;
}

/* ---- all of it --------------------------------------------------------------------------------- */

static void set_name(pby_columns *c)
{
    const char *path = pby_path_text(c->path);
    const size_t length = strlen(path), most = NAME_SIZE - 64;
    snprintf(c->name, NAME_SIZE, "%s%s%s", c->line_breaks ? "the two columns of " : "",
             length > most ? "..." : "", path + (length > most ? length - most : 0));
}

pby_status pby_columns_parse(pby_columns **out, const char *name, const char *text, size_t size,
                             const pby_columns_choice *choice, pby_error *err)
{
    *out = NULL;
    pby_columns *c = calloc(1, sizeof *c);
    if (c == NULL)
        return pby_no_memory(err);
    *c = (pby_columns){.path = name,
                       .choice = choice,
                       .line = 1,
                       .scratch = malloc(PBY_ROW_KEY_MAX),
                       .layout = {.header = true, .chosen = true}};
    const pby_status status = c->scratch == NULL
                                  ? pby_no_memory(err)
                                  : project(c, (const uint8_t *)text, (const uint8_t *)text + size, err);
    if (status != PBY_OK) {
        pby_columns_free(c);
        return status;
    }
    set_name(c);
    c->choice = NULL;
    *out = c;
    return PBY_OK;
}

pby_status pby_columns_read(pby_columns **out, const char *path, const pby_columns_choice *choice,
                            pby_error *err)
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

const uint8_t *pby_columns_bytes(const pby_columns *c, size_t *size)
{
    *size = c->size;
    return c->bytes;
}

const char *pby_columns_name(const pby_columns *c)
{
    return c->name;
}

const pby_layout *pby_columns_layout(const pby_columns *c)
{
    return &c->layout;
}
