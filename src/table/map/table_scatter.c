/* SPDX-License-Identifier: MIT */
#include "table/map/table_scatter.h"

#include <flint/fmpq_vec.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/status.h"
#include "io/file.h"
#include "number/scoped.h"
#include "probity/rational.h"
#include "table/row/csv_row.h"
#include "table/row/field.h"

enum { FIELDS = 3, NUMBER_SIZE = 4200 };

/* A line as it was read. */
struct move {
    size_t key, bar;
    uint64_t line;
    fmpq chance;
};

struct reading {
    const char *path;
    pby_scatter *table;
    uint8_t *scratch;
    const uint8_t *end;
    uint64_t line;
    mpq_t number;
    struct move *move;
    size_t count, room;
};

static pby_status refuse(const struct reading *r, unsigned column, const char *expected, pby_error *err)
{
    return pby_field_refuse(r->path, r->line, column, expected, err);
}

/* ---- lines -------------------------------------------------------------------------------------- */

static pby_status read_name(struct reading *r, pby_names *names, const pby_csv_row *field, size_t *number,
                            pby_error *err)
{
    size_t size;
    const uint8_t *name = pby_csv_row_key(field, r->scratch, &size);
    return pby_names_add(names, name, size, number, err);
}

static pby_status read_chance(struct reading *r, const pby_csv_row *field, fmpq *chance, pby_error *err)
{
    char text[NUMBER_SIZE];
    size_t size;
    const uint8_t *bytes = pby_csv_row_key(field, r->scratch, &size);
    bool good = size < sizeof text && memchr(bytes, '\0', size) == NULL;
    if (good) {
        memcpy(text, bytes, size);
        text[size] = '\0';
        good = pby_rational_parse(r->number, "chance", text, NULL) == PBY_OK && mpq_sgn(r->number) > 0 &&
               mpq_cmp_ui(r->number, 1, 1) <= 0;
    }
    if (good)
        fmpq_set_mpq(chance, r->number);
    return good ? PBY_OK : refuse(r, FIELDS, "a chance above 0 and at most 1, such as 1/3", err);
}

static pby_status grow(struct reading *r, pby_error *err)
{
    if (r->count == PBY_SCATTER_MAX)
        return refuse(r, 1, "at most 1000000 lines", err);
    PBY_RESERVE(r->move, r->room, r->count + 1, err);
    struct move *m = &r->move[r->count++];
    *m = (struct move){.line = r->line};
    fmpq_init(&m->chance);
    return PBY_OK;
}

static pby_status read_line(struct reading *r, const uint8_t **at, pby_error *err)
{
    static const char three[] = "KEY,NEW,CHANCE";
    pby_csv_row field;
    bool more = true;
    uint64_t newlines = 0;
    pby_status status = grow(r, err);
    for (unsigned column = 1; column <= FIELDS && status == PBY_OK; column++, *at = field.end) {
        if (!more)
            return refuse(r, column, three, err);
        if (pby_csv_row_field(&field, column, *at, r->end, &more) != PBY_ROW_FOUND)
            return refuse(r, column, field.expected, err);
        if (column < FIELDS && field.key_size == 0 && **at != '"')
            return refuse(r, column, "a key, the empty one as \"\"", err);
        newlines += field.newlines;
        struct move *m = &r->move[r->count - 1];
        if (column == FIELDS)
            status = read_chance(r, &field, &m->chance, err);
        else
            status = read_name(r, column == 1 ? r->table->keys : r->table->bars, &field,
                               column == 1 ? &m->key : &m->bar, err);
    }
    if (status == PBY_OK && more)
        return refuse(r, FIELDS + 1, three, err);
    r->line += newlines + 1;
    return status;
}

/* ---- the table ---------------------------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
    const struct move *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->bar > y->bar) - (x->bar < y->bar);
}

/* The moves of one key, which stand in the order of their bars. */
static pby_status check_key(struct reading *r, size_t from, size_t to, pby_error *err)
{
    uint64_t first = r->move[from].line;
    PBY_FMPQ(sum);
    for (size_t i = from; i < to; i++) {
        fmpq_add(sum, sum, &r->move[i].chance);
        first = r->move[i].line < first ? r->move[i].line : first;
    }
    const bool whole = fmpq_is_one(sum);
    for (size_t i = from + 1; i < to; i++)
        if (r->move[i].bar == r->move[i - 1].bar) {
            const uint64_t one = r->move[i - 1].line, other = r->move[i].line;
            r->line = one > other ? one : other;
            return refuse(r, 2, "a new key that stands on no line of this key before", err);
        }
    r->line = first;
    return whole ? PBY_OK : refuse(r, FIELDS, "a key whose chances add up to 1", err);
}

static pby_status set_moves(struct reading *r, pby_error *err)
{
    pby_scatter *t = r->table;
    const size_t keys = pby_names_count(t->keys);
    t->count = r->count;
    t->first = calloc(keys + 1, sizeof *t->first);
    t->bar = calloc(r->count, sizeof *t->bar);
    t->chance = _fmpq_vec_init((slong)r->count);
    if (t->first == NULL || t->bar == NULL)
        return pby_no_memory(err);
    qsort(r->move, r->count, sizeof *r->move, by_key);
    for (size_t i = 0; i < r->count; i++) {
        t->first[r->move[i].key + 1] = i + 1;
        t->bar[i] = r->move[i].bar;
        fmpq_set(t->chance + i, &r->move[i].chance);
    }
    for (size_t k = 0; k < keys; k++)
        PBY_TRY(check_key(r, t->first[k], t->first[k + 1], err));
    return PBY_OK;
}

static pby_status read_all(struct reading *r, const char *text, size_t size, pby_error *err)
{
    const uint8_t *at = (const uint8_t *)text;
    r->end = at + size;
    at += pby_csv_row_mark(at, r->end);
    pby_status status = at == r->end ? refuse(r, 1, "a line KEY,NEW,CHANCE", err) : PBY_OK;
    while (at < r->end && status == PBY_OK)
        status = read_line(r, &at, err);
    return status == PBY_OK ? set_moves(r, err) : status;
}

static pby_status parse(pby_scatter *t, const char *path, const char *text, size_t size, pby_error *err)
{
    struct reading r = {.path = path, .table = t, .line = 1};
    mpq_init(r.number);
    r.scratch = malloc(size < PBY_ROW_KEY_MAX ? size + 1 : PBY_ROW_KEY_MAX);
    pby_status status = r.scratch == NULL ? pby_no_memory(err) : pby_names_new(&t->keys, err);
    if (status == PBY_OK)
        status = pby_names_new(&t->bars, err);
    if (status == PBY_OK)
        status = read_all(&r, text, size, err);
    for (size_t i = 0; i < r.count; i++)
        fmpq_clear(&r.move[i].chance);
    free(r.move);
    free(r.scratch);
    mpq_clear(r.number);
    return status;
}

pby_status pby_scatter_read(pby_scatter **out, const char *path, const char *option, const char *data,
                            pby_error *err)
{
    char *text = NULL;
    size_t size = 0;
    *out = NULL;
    if (pby_file_same(path, data))
        return pby_refuse(err, option, path, "a public table, not the data themselves");
    pby_status status = pby_file_read_table(&text, &size, path, err);
    if (status != PBY_OK)
        return status;
    pby_scatter *t = *out = calloc(1, sizeof *t);
    status = t == NULL ? pby_no_memory(err) : PBY_OK;
    if (status == PBY_OK) {
        t->path = path;
        pby_digest_bytes(&t->digest, text, size);
        status = parse(t, path, text, size, err);
    }
    free(text);
    if (status != PBY_OK) {
        pby_scatter_free(*out);
        *out = NULL;
    }
    return status;
}

void pby_scatter_free(pby_scatter *t)
{
    if (t == NULL)
        return;
    if (t->chance != NULL)
        _fmpq_vec_clear(t->chance, (slong)t->count);
    free(t->bar);
    free(t->first);
    pby_names_free(t->bars);
    pby_names_free(t->keys);
    free(t);
}
