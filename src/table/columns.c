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

static const char count_header[] = ",count\n";

struct pby_columns {
    const char *path;
    const pby_columns_choice *choice;
    unsigned width; /* of the table */
    pby_layout layout;
    uint8_t *scratch; /* for a name with escapes */
    struct text {
        uint8_t *bytes;
        size_t size, room;
    } table, key;     /* the histogram, and a key of several columns */
    uint64_t line;    /* of the next row, from 1 */
    bool line_breaks; /* in a field that was left out: the histogram has fewer lines than the table */
    char name[NAME_SIZE];
};

static void text_free(struct text *t)
{
    if (t->bytes != NULL)
        sodium_memzero(t->bytes, t->room);
    free(t->bytes);
}

void pby_columns_free(pby_columns *c)
{
    if (c == NULL)
        return;
    if (c->scratch != NULL)
        sodium_memzero(c->scratch, PBY_ROW_KEY_MAX);
    text_free(&c->table);
    text_free(&c->key);
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

static bool is_key(const pby_columns *c, unsigned column)
{
    for (size_t i = 0; i < c->layout.keys; i++)
        if (c->layout.key[i] == column)
            return true;
    return false;
}

/* The column that was not chosen, if there is one such. */
static pby_status complete(pby_columns *c, pby_error *err)
{
    pby_layout *r = &c->layout;
    const pby_arguments *names = c->choice->names;
    const bool keyed = r->keys > 0;
    if (keyed && r->count != 0)
        return PBY_OK;
    if (c->width != (keyed ? r->keys + 1 : 2))
        return pby_fail(err, PBY_BAD, "%s: expected it beside %s, as the table has not %s",
                        keyed ? names->counts : names->keys, keyed ? names->keys : names->counts,
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

/* Whether all that was named is there. */
static pby_status check_chosen(pby_columns *c, pby_error *err)
{
    const pby_key_names *keys = c->choice->keys;
    const char *counts = c->choice->counts;
    const pby_arguments *names = c->choice->names;
    char expected[96];
    static const char missing[] = "the name of a column in the first line";
    for (size_t i = 0; keys != NULL && i < keys->count; i++)
        if (c->layout.key[i] == 0)
            return pby_refuse(err, names->keys, keys->name[i], missing);
    if (counts != NULL && c->layout.count == 0)
        return pby_refuse(err, names->counts, counts, missing);
    if (counts != NULL && is_key(c, c->layout.count)) {
        snprintf(expected, sizeof expected, "another column than that of %s", names->keys);
        return pby_refuse(err, names->counts, counts, expected);
    }
    return complete(c, err);
}

static pby_status read_header(pby_columns *c, const uint8_t **at, const uint8_t *end, pby_error *err)
{
    const pby_columns_choice *choice = c->choice;
    uint64_t newlines = 0;
    pby_status status = *at == end ? refuse(c, 0, 1, "a line that names the columns", err) : PBY_OK;
    c->layout.keys = choice->keys == NULL ? 0 : choice->keys->count;
    for (bool more = true; more && status == PBY_OK;) {
        pby_csv_row field;
        if (pby_csv_row_field(&field, ++c->width, *at, end, &more) != PBY_ROW_FOUND)
            return refuse(c, newlines, c->width, field.expected, err);
        for (size_t i = 0; i < c->layout.keys && status == PBY_OK; i++)
            status = note(c, &c->layout.key[i], &field, choice->names->keys, choice->keys->name[i], err);
        if (status == PBY_OK)
            status = note(c, &c->layout.count, &field, choice->names->counts, choice->counts, err);
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

/* Room for so many bytes more. */
static pby_status make_room(struct text *t, size_t more, pby_error *err)
{
    const size_t wanted = t->size + more;
    if (wanted <= t->room)
        return PBY_OK;
    const size_t room = 2 * wanted;
    uint8_t *bytes = malloc(room);
    if (bytes == NULL)
        return pby_no_memory(err);
    if (t->bytes != NULL)
        memcpy(bytes, t->bytes, t->size);
    text_free(t);
    t->bytes = bytes;
    t->room = room;
    return PBY_OK;
}

static pby_status put_name(struct text *t, const uint8_t *name, size_t size, pby_error *err)
{
    const pby_status status = make_room(t, 2 * size + 2, err);
    if (status == PBY_OK)
        t->size = (size_t)(pby_put_name(t->bytes + t->size, name, size) - t->bytes);
    return status;
}

static pby_status put_byte(struct text *t, uint8_t byte, pby_error *err)
{
    const pby_status status = make_room(t, 1, err);
    if (status == PBY_OK)
        t->bytes[t->size++] = byte;
    return status;
}

static pby_status put_field(pby_columns *c, struct text *t, const pby_csv_row *field, pby_error *err)
{
    size_t size;
    const uint8_t *name = pby_csv_row_key(field, c->scratch, &size);
    return put_name(t, name, size, err);
}

/* The key of a bar; of several columns their fields, as a row. */
static pby_status put_key(pby_columns *c, const pby_csv_row *key, pby_error *err)
{
    if (c->layout.keys == 1)
        return put_field(c, &c->table, key, err);
    pby_status status = PBY_OK;
    c->key.size = 0;
    for (size_t i = 0; i < c->layout.keys && status == PBY_OK; i++) {
        if (i > 0)
            status = put_byte(&c->key, ',', err);
        if (status == PBY_OK)
            status = put_field(c, &c->key, &key[i], err);
    }
    return status == PBY_OK ? put_name(&c->table, c->key.bytes, c->key.size, err) : status;
}

/* Appends the row, and has it read as a release will read it. */
static pby_status add_row(pby_columns *c, const struct fields *f, pby_error *err)
{
    pby_csv_row row;
    const size_t begin = c->table.size;
    pby_status status = put_key(c, f->key, err);
    if (status == PBY_OK)
        status = put_byte(&c->table, ',', err);
    if (status == PBY_OK)
        status = put_field(c, &c->table, &f->count, err);
    if (status == PBY_OK)
        status = put_byte(&c->table, '\n', err);
    if (status == PBY_OK)
        status = make_room(&c->table, 1, err);
    if (status != PBY_OK)
        return status;
    c->table.bytes[c->table.size] = '\0';
    if (pby_csv_row_parse(&row, c->table.bytes + begin, c->table.bytes + c->table.size, true) ==
        PBY_ROW_FOUND)
        return PBY_OK;
    return refuse(c, f->newlines, row.column == 1 ? c->layout.key[0] : c->layout.count, row.expected, err);
}

/* Notes a field that is counted; whether it is one. */
static bool take_field(pby_columns *c, struct fields *f, unsigned column, const pby_csv_row *field)
{
    for (size_t i = 0; i < c->layout.keys; i++)
        if (c->layout.key[i] == column) {
            f->key[i] = *field;
            return true;
        }
    if (column == c->layout.count)
        f->count = *field;
    return column == c->layout.count;
}

static pby_status read_row(pby_columns *c, const uint8_t **at, const uint8_t *end, pby_error *err)
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
        if (column == c->layout.count)
            f.newlines = newlines;
        const bool taken = take_field(c, &f, column, &field);
        c->line_breaks = c->line_breaks || (field.newlines > 0 && (!taken || column == c->layout.count));
        newlines += field.newlines;
        *at = field.end;
    }
    const pby_status status = add_row(c, &f, err);
    c->line += newlines + 1;
    return status;
}

/* What the header calls the columns. */
static void name_columns(pby_columns *c, const struct fields *f)
{
    size_t size;
    for (size_t i = 0; i < c->layout.keys; i++) {
        const uint8_t *name = pby_csv_row_key(&f->key[i], c->scratch, &size);
        pby_layout_name(c->layout.key_name[i], name, size);
    }
    const uint8_t *name = pby_csv_row_key(&f->count, c->scratch, &size);
    pby_layout_name(c->layout.count_name, name, size);
}

/* The header again, which is known to be one: the key's name is written, and the count's is a constant, which
 * every reader takes for a name. */
static pby_status add_header(pby_columns *c, const uint8_t *mark, const uint8_t *at, const uint8_t *end,
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
    const size_t marked = pby_csv_row_mark(mark, end);
    pby_status status = PBY_OK;
    for (size_t i = 0; i < marked && status == PBY_OK; i++)
        status = put_byte(&c->table, mark[i], err);
    if (status == PBY_OK)
        status = put_key(c, f.key, err);
    for (const char *rest = count_header; *rest != '\0' && status == PBY_OK; rest++)
        status = put_byte(&c->table, (uint8_t)*rest, err);
    return status;
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
    snprintf(c->name, NAME_SIZE, "%s%s%s", c->line_breaks ? "the columns of " : "",
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
    *size = c->table.size;
    return c->table.bytes;
}

const char *pby_columns_name(const pby_columns *c)
{
    return c->name;
}

const pby_layout *pby_columns_layout(const pby_columns *c)
{
    return &c->layout;
}
