/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <gmp.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "number/scoped.h"
#include "table/row/csv_row.h"
#include "table/store/rows.h"
#include "table/table.h"

enum { ROWS = 1 << 16, BYTES = 1 << 29 }; /* of a batch: its texts end once they have as many bytes */

/* ---- what is given away ------------------------------------------------------------------------- */

/* An array and what it points to. Children are arrays of their own, and may be moved away. */
struct given {
    void *buffer[3];        /* that are its own */
    pby_arrow_rows *shared; /* which the others belong to; NULL: there are none */
    const void *buffers[3];
    struct ArrowArray **children;
};

static void release_array(struct ArrowArray *a)
{
    struct given *g = a->private_data;
    for (int64_t i = 0; i < a->n_children; i++) {
        if (a->children[i]->release != NULL)
            a->children[i]->release(a->children[i]);
        free(a->children[i]);
    }
    free(g->children);
    for (size_t i = 0; i < 3; i++)
        free(g->buffer[i]);
    pby_arrow_rows_free(g->shared);
    free(g);
    a->release = NULL;
}

/* Takes over the buffers; false without memory. */
static bool give_array(struct ArrowArray *a, int64_t length, int64_t nulls, int64_t n_buffers,
                       void *const buffer[3])
{
    struct given *g = calloc(1, sizeof *g);
    *a =
        (struct ArrowArray){.length = length, .null_count = nulls, .n_buffers = n_buffers, .private_data = g};
    for (size_t i = 0; i < 3; i++) {
        if (g == NULL)
            free(buffer[i]);
        else
            g->buffers[i] = g->buffer[i] = buffer[i];
    }
    if (g == NULL)
        return false;
    a->buffers = g->buffers;
    a->release = release_array;
    return true;
}

/* Keys of a batch that others gave, from one on, where they lie. */
static bool give_shared(struct ArrowArray *a, pby_arrow_rows *rows, size_t batch, size_t from, size_t length)
{
    const pby_arrow_values *keys = &rows->batch[batch].column[0].values;
    void *const none[3] = {NULL, NULL, NULL};
    if (!give_array(a, (int64_t)length, 0, 3, none))
        return false;
    struct given *g = a->private_data;
    a->offset = (int64_t)from;
    g->shared = pby_arrow_rows_share(rows);
    g->buffers[1] = keys->offsets;
    g->buffers[2] = keys->data;
    return true;
}

/* Room for children, which are released. */
static bool give_children(struct ArrowArray *a, size_t count)
{
    struct given *g = a->private_data;
    g->children = calloc(count + 1, sizeof *g->children);
    a->children = g->children;
    for (; g->children != NULL && (size_t)a->n_children < count; a->n_children++)
        if ((g->children[a->n_children] = calloc(1, sizeof **g->children)) == NULL)
            return false;
    return g->children != NULL;
}

/* ---- columns in the making ---------------------------------------------------------------------- */

struct texts {
    int32_t *offsets;
    uint8_t *bytes;
    size_t size, room;
};

struct numbers {
    uint8_t *valid;
    int64_t *values; /* integers, or the bits of floating-point numbers */
    int64_t nulls;
};

/* The private data of a stream that reads a table. */
struct reading {
    pby_table *table;
    size_t keys, values, rows; /* columns of both kinds, and rows of the batch */
    struct texts *text;
    struct numbers *number;
    char **name; /* of the keys */
    bool scaled, begun, ended;
    pby_arrow_rows *lent; /* whose keys are given on as they lie; NULL: all are copied */
    size_t batch, place;  /* of it, and the next row there */
    mpq_t unit, product;
    uint8_t *scratch; /* for a key of several columns */
    pby_error error;
};

static bool texts_begin(struct texts *t)
{
    *t = (struct texts){malloc((ROWS + 1) * sizeof *t->offsets), malloc(ROWS), 0, ROWS};
    if (t->offsets != NULL)
        t->offsets[0] = 0;
    return t->offsets != NULL && t->bytes != NULL;
}

static bool texts_add(struct texts *t, size_t row, const uint8_t *text, size_t size)
{
    if (t->room - t->size < size) {
        uint8_t *wider = realloc(t->bytes, 2 * t->room + size);
        if (wider == NULL)
            return false;
        t->bytes = wider;
        t->room = 2 * t->room + size;
    }
    if (size > 0)
        memcpy(t->bytes + t->size, text, size);
    t->size += size;
    t->offsets[row + 1] = (int32_t)t->size;
    return true;
}

static bool numbers_begin(struct numbers *n)
{
    *n = (struct numbers){calloc(1, ROWS / 8), calloc(ROWS, sizeof *n->values), 0};
    return n->valid != NULL && n->values != NULL;
}

/* The nearest floating-point number to a multiple of the unit, as its bits. */
static int64_t scaled(struct reading *r, int64_t value)
{
    int64_t bits;
    mpq_set_si(r->product, value, 1);
    mpq_mul(r->product, r->product, r->unit);
    PBY_MPFR(53, x);
    mpfr_set_q(x, r->product, MPFR_RNDN);
    const double nearest = mpfr_get_d(x, MPFR_RNDN);
    memcpy(&bits, &nearest, sizeof bits);
    return bits;
}

static void numbers_add(struct reading *r, struct numbers *n, int64_t value)
{
    if (value == PBY_SUPPRESSED) {
        n->nulls++;
        return;
    }
    n->valid[r->rows / 8] |= (uint8_t)(1U << r->rows % 8);
    n->values[r->rows] = r->scaled ? scaled(r, value) : value;
}

static void drop_columns(struct reading *r)
{
    for (size_t i = 0; i < r->keys; i++) {
        free(r->text[i].offsets);
        free(r->text[i].bytes);
        r->text[i] = (struct texts){NULL, NULL, 0, 0};
    }
    for (size_t i = 0; i < r->values; i++) {
        free(r->number[i].valid);
        free(r->number[i].values);
        r->number[i] = (struct numbers){NULL, NULL, 0};
    }
}

/* ---- a batch ------------------------------------------------------------------------------------ */

/* The fields of a key of several columns, which the library has written as a row of CSV. */
static bool add_fields(struct reading *r, const uint8_t *key, size_t size)
{
    const uint8_t *at = key, *const end = key + size;
    bool more = true;
    for (size_t i = 0; i < r->keys; i++) {
        pby_csv_row field = {.key = end, .end = end};
        size_t length = 0;
        const uint8_t *text = end;
        if (more && pby_csv_row_field(&field, (unsigned)i + 1, at, end, &more) == PBY_ROW_FOUND) {
            text = pby_csv_row_key(&field, r->scratch, &length);
            at = field.end;
        }
        if (!texts_add(&r->text[i], r->rows, text, length))
            return false;
    }
    return true;
}

static bool add_row(struct reading *r)
{
    size_t size;
    const char *key = pby_table_key(r->table, &size);
    if (r->keys == 1 && !texts_add(&r->text[0], r->rows, (const uint8_t *)key, size))
        return false;
    if (r->keys > 1 && !add_fields(r, (const uint8_t *)key, size))
        return false;
    for (size_t i = 0; i < r->values; i++)
        numbers_add(r, &r->number[i], pby_table_value(r->table, i));
    r->rows++;
    return true;
}

static bool is_full(const struct reading *r)
{
    bool full = r->rows == ROWS;
    for (size_t i = 0; i < r->keys; i++)
        full = full || r->text[i].size >= BYTES;
    return full;
}

static pby_status fill_batch(struct reading *r, pby_error *err)
{
    bool made = true, found = true;
    pby_status status = r->begun ? PBY_OK : pby_table_rewind(r->table, err);
    r->begun = true;
    r->rows = 0;
    for (size_t i = 0; i < r->keys; i++)
        made = texts_begin(&r->text[i]) && made;
    for (size_t i = 0; i < r->values; i++)
        made = numbers_begin(&r->number[i]) && made;
    while (status == PBY_OK && made && !is_full(r)) {
        status = pby_table_next(r->table, &found, err);
        if (status != PBY_OK || !found)
            break;
        made = add_row(r);
    }
    r->ended = !found;
    return status == PBY_OK && !made ? pby_no_memory(err) : status;
}

/* The columns go over into the batch. */
static bool hand_over(struct reading *r, struct ArrowArray *out)
{
    void *const none[3] = {NULL, NULL, NULL};
    if (!give_array(out, (int64_t)r->rows, 0, 1, none))
        return false;
    bool made = give_children(out, r->keys + r->values);
    for (size_t i = 0; made && i < r->keys; i++) {
        void *const buffer[3] = {NULL, r->text[i].offsets, r->text[i].bytes};
        r->text[i] = (struct texts){NULL, NULL, 0, 0};
        made = give_array(out->children[i], (int64_t)r->rows, 0, 3, buffer);
    }
    for (size_t i = 0; made && i < r->values; i++) {
        void *const buffer[3] = {r->number[i].valid, r->number[i].values, NULL};
        made = give_array(out->children[r->keys + i], (int64_t)r->rows, r->number[i].nulls, 2, buffer);
        r->number[i] = (struct numbers){NULL, NULL, 0};
    }
    if (!made)
        out->release(out);
    return made;
}

static pby_status next_filled(struct reading *r, struct ArrowArray *out, pby_error *err)
{
    pby_status status = fill_batch(r, err);
    if (status == PBY_OK && r->rows > 0 && !hand_over(r, out))
        status = pby_no_memory(err);
    drop_columns(r);
    return status;
}

/* ---- a batch whose keys are lent ---------------------------------------------------------------- */

/* Keys as they lie, and their values, none of which is null. */
static bool give_lent(struct ArrowArray *out, const struct reading *r, int64_t *values, size_t rows)
{
    void *const none[3] = {NULL, NULL, NULL}, *const numbers[3] = {NULL, values, NULL};
    if (!give_array(out, (int64_t)rows, 0, 1, none)) {
        free(values);
        return false;
    }
    if (!give_children(out, 2)) {
        free(values);
        out->release(out);
        return false;
    }
    const bool made = give_array(out->children[1], (int64_t)rows, 0, 2, numbers) &&
                      give_shared(out->children[0], r->lent, r->batch, r->place, rows);
    if (!made)
        out->release(out);
    return made;
}

static pby_status next_lent(struct reading *r, struct ArrowArray *out, pby_error *err)
{
    if (!r->begun)
        pby_store_rewind(r->table->store);
    r->begun = true;
    if (r->batch == r->lent->batches) {
        r->ended = true;
        return PBY_OK;
    }
    const size_t left = (size_t)r->lent->batch[r->batch].rows - r->place, rows = left < ROWS ? left : ROWS;
    int64_t *values = malloc(rows * sizeof *values);
    if (values == NULL)
        return pby_no_memory(err);
    const pby_status status = pby_store_take_lent(r->table->store, values, rows, err);
    if (status != PBY_OK) {
        free(values);
        return status;
    }
    if (!give_lent(out, r, values, rows))
        return pby_no_memory(err);
    r->place = rows < left ? r->place + rows : 0;
    r->batch += rows == left;
    return PBY_OK;
}

/* Returns the batches whose keys the stream can pass on without a copy; NULL if a key has to be made. */
static pby_arrow_rows *lent_to(const struct reading *r)
{
    pby_arrow_rows *rows = r->table->store == NULL ? NULL : pby_store_lent(r->table->store);
    if (rows == NULL || r->keys != 1 || r->values != 1 || r->scaled)
        return NULL;
    for (size_t i = 0; i < rows->batches; i++)
        if (!pby_arrow_rows_plain(rows, i))
            return NULL;
    return rows;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    struct reading *r = stream->private_data;
    *out = (struct ArrowArray){.release = NULL};
    if (r->ended)
        return 0;
    const pby_status status = r->lent != NULL ? next_lent(r, out, &r->error) : next_filled(r, out, &r->error);
    return status == PBY_OK ? 0 : r->error.reason == PBY_REASON_MEMORY ? ENOMEM : EIO;
}

/* ---- the schema --------------------------------------------------------------------------------- */

static void release_schema(struct ArrowSchema *s)
{
    for (int64_t i = 0; i < s->n_children; i++) {
        if (s->children[i]->release != NULL)
            s->children[i]->release(s->children[i]);
        free(s->children[i]);
    }
    free(s->children);
    free(s->private_data);
    s->release = NULL;
}

static bool give_schema(struct ArrowSchema *s, const char *format, const char *name, int64_t flags)
{
    char *copy = strdup(name);
    *s = (struct ArrowSchema){
        .format = format, .name = copy, .flags = flags, .release = release_schema, .private_data = copy};
    return copy != NULL;
}

static bool give_column(struct ArrowSchema *all, const char *format, const char *name, int64_t flags)
{
    struct ArrowSchema *child = calloc(1, sizeof *child);
    if (child == NULL || !give_schema(child, format, name, flags)) {
        free(child);
        return false;
    }
    all->children[all->n_children++] = child;
    return true;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    const struct reading *r = stream->private_data;
    bool made = give_schema(out, "+s", "", 0);
    out->children = calloc(r->keys + r->values + 1, sizeof *out->children);
    made = made && out->children != NULL;
    for (size_t i = 0; made && i < r->keys; i++)
        made = give_column(out, "u", r->name[i], 0);
    for (size_t i = 0; made && i < r->values; i++)
        made = give_column(out, r->scaled ? "g" : "l", pby_table_column(r->table, i), ARROW_FLAG_NULLABLE);
    if (!made)
        release_schema(out);
    return made ? 0 : ENOMEM;
}

/* ---- the stream --------------------------------------------------------------------------------- */

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    const struct reading *r = stream->private_data;
    return r->error.text;
}

static void reading_free(struct reading *r)
{
    drop_columns(r);
    for (size_t i = 0; r->name != NULL && i < r->keys; i++)
        free(r->name[i]);
    free(r->name);
    free(r->text);
    free(r->number);
    free(r->scratch);
    mpq_clears(r->unit, r->product, NULL);
    free(r);
}

static void release_stream(struct ArrowArrayStream *stream)
{
    reading_free(stream->private_data);
    stream->release = NULL;
}

/* A header of several columns is a row of CSV, but that of keys that are hidden says "key" alone. */
static bool name_keys(struct reading *r, const char *header, size_t size)
{
    const uint8_t *at = (const uint8_t *)header, *const end = header == NULL ? at : at + size;
    bool more = header != NULL;
    if (r->keys == 1)
        return (r->name[0] = header == NULL ? strdup("key") : strndup(header, size)) != NULL;
    for (size_t i = 0; i < r->keys; i++) {
        pby_csv_row field;
        char number[32];
        size_t length = (size_t)snprintf(number, sizeof number, "key_%zu", i + 1);
        const uint8_t *name = (const uint8_t *)number;
        if (more && pby_csv_row_field(&field, (unsigned)i + 1, at, end, &more) == PBY_ROW_FOUND &&
            (more || i > 0)) {
            name = pby_csv_row_key(&field, r->scratch, &length);
            at = field.end;
        }
        if ((r->name[i] = strndup((const char *)name, length)) == NULL)
            return false;
    }
    return true;
}

static pby_status reading_new(struct reading **out, pby_table *t, pby_error *err)
{
    struct reading *r = *out = calloc(1, sizeof *r);
    size_t size = 0;
    if (r == NULL)
        return pby_no_memory(err);
    mpq_inits(r->unit, r->product, NULL);
    r->table = t;
    r->values = pby_table_columns(t);
    const bool keyed = t->store == NULL || pby_store_keyed(t->store);
    r->keys = keyed ? pby_table_key_columns(t) : 0;
    r->text = calloc(r->keys + 1, sizeof *r->text);
    r->number = calloc(r->values + 1, sizeof *r->number);
    r->name = calloc(r->keys + 1, sizeof *r->name);
    r->scratch = malloc(PBY_ROW_KEY_MAX + 1);
    r->scaled = t->store != NULL && pby_store_unit(t->store) != NULL;
    if (r->scaled)
        mpq_set(r->unit, pby_store_unit(t->store));
    r->scaled = r->scaled && mpq_cmp_ui(r->unit, 1, 1) != 0;
    const char *header = pby_table_header(t, &size);
    r->lent = lent_to(r);
    const bool made = r->text != NULL && r->number != NULL && r->name != NULL && r->scratch != NULL &&
                      (!keyed || name_keys(r, header, size));
    return made ? PBY_OK : pby_no_memory(err);
}

pby_status pby_table_to_arrow(struct ArrowArrayStream *out, pby_table *table, pby_error *err)
{
    struct reading *r = NULL;
    bool found;
    *out = (struct ArrowArrayStream){.release = NULL};
    pby_status status = pby_table_rewind(table, err);
    if (status == PBY_OK) /* the header is known once a row was asked for, and all rows are checked */
        status = pby_table_next(table, &found, err);
    if (status == PBY_OK)
        status = reading_new(&r, table, err);
    if (status != PBY_OK) {
        if (r != NULL)
            reading_free(r);
        return status;
    }
    *out = (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_stream, r};
    return PBY_OK;
}
