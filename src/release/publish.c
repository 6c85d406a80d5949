/* SPDX-License-Identifier: MIT */
#include "release/publish.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "release/uses.h"
#include "table/row/csv_row.h"
#include "table/sort/passed.h"

static const char *const columns_present[] = {"present", NULL};

/* The shape of each form: the header behind the first column, the columns, the stems that each of several
 * uses has in their place, and a flag that the rows are gathered and sorted. Counts of one use are written as
 * they were read, in CSV. */
static const struct shape {
    const char *header;
    const char *const *columns, *const *stems;
    bool gathered;
} shapes[] = {
    [PBY_RELEASE_COUNTS] = {",count", pby_columns_count, pby_columns_count, false},
    [PBY_RELEASE_PASSED] = {",count", pby_columns_count, pby_columns_count, true},
    [PBY_RELEASE_PRESENT] = {"", pby_columns_none, columns_present, true},
    [PBY_RELEASE_RANGES] = {",low,high", pby_columns_range, pby_columns_range, false},
    [PBY_RELEASE_TOTAL] = {",count", pby_columns_count, pby_columns_count, false},
    [PBY_RELEASE_PASSED_RANGES] = {",low,high", pby_columns_range, pby_columns_range, true},
};

/* The name of the first column where keys are hidden. */
static const char first_name[] = "key";

struct pby_publish {
    pby_release_form form;
    int64_t reach;
    size_t uses;
    pby_uses names;  /* of the columns of several uses */
    int64_t *counts; /* of one row of them, */
    int64_t *cells;  /* and what is written of it: two for each use at most */
    struct shape shape;
    pby_csv *csv;
    pby_passed *passed; /* NULL where nothing is gathered */
    uint8_t *scratch;   /* for a name with escapes */
    size_t used;        /* bytes of it */
};

/* Several uses have columns each. */
static pby_status shape_uses(pby_publish *p, pby_error *err)
{
    p->counts = calloc(p->uses, sizeof *p->counts);
    p->cells = calloc(p->uses, 2 * sizeof *p->cells);
    if (p->counts == NULL || p->cells == NULL)
        return pby_no_memory(err);
    if (p->uses == 1)
        return PBY_OK;
    const pby_status status = pby_uses_name(&p->names, p->shape.stems, p->uses, err);
    p->shape.header = p->names.header;
    p->shape.columns = (const char *const *)p->names.columns;
    return status;
}

pby_status pby_publish_new(pby_publish **out, pby_release_form form, int64_t reach, size_t uses, pby_csv *csv,
                           pby_error *err)
{
    *out = NULL;
    pby_publish *p = malloc(sizeof *p);
    if (p == NULL)
        return pby_no_memory(err);
    *p = (pby_publish){.form = form,
                       .reach = reach,
                       .uses = uses,
                       .shape = shapes[form],
                       .csv = csv,
                       .scratch = malloc(PBY_ROW_KEY_MAX)};
    pby_status status = p->scratch == NULL ? pby_no_memory(err) : shape_uses(p, err);
    if (status == PBY_OK && p->shape.gathered)
        status = pby_passed_new(&p->passed, pby_csv_spread(csv), uses, err);
    if (status != PBY_OK)
        pby_publish_free(p);
    else
        *out = p;
    return status;
}

void pby_publish_free(pby_publish *p)
{
    if (p == NULL)
        return;
    if (p->scratch != NULL)
        sodium_memzero(p->scratch, p->used);
    if (p->counts != NULL)
        sodium_memzero(p->counts, p->uses * sizeof *p->counts);
    if (p->cells != NULL)
        sodium_memzero(p->cells, 2 * p->uses * sizeof *p->cells);
    free(p->cells);
    free(p->counts);
    free(p->scratch);
    pby_uses_clear(&p->names);
    pby_passed_free(p->passed);
    free(p);
}

/* A name that may stand in the scratch, which is wiped as far as it was used. */
static const uint8_t *noted(pby_publish *p, const uint8_t *name, size_t size)
{
    if (name == p->scratch && size > p->used)
        p->used = size;
    return name;
}

static const uint8_t *key_of(pby_publish *p, size_t i, size_t *size)
{
    const uint8_t *name = pby_csv_key(p->csv, i, p->scratch, size);
    return noted(p, name, *size);
}

/* A header where the input has one: its own first name only where every key is written, or where several are
 * the key, which the command line names. JSON has none. */
static pby_status write_header(pby_publish *p, pby_rows *rows, const struct shape *shape, pby_error *err)
{
    pby_csv_head head = pby_csv_head_of(p->csv, p->scratch);
    uint8_t *out, *to;
    if (rows->json || head.name == NULL)
        return PBY_OK;
    noted(p, head.name, head.size);
    if (shape->gathered && !rows->tuples) {
        head.name = (const uint8_t *)first_name;
        head.size = strlen(first_name);
    }
    if (rows->store != NULL)
        return pby_store_head(rows->store, head.name, head.size, err);
    const size_t room = PBY_ROW_MARK + 2 * head.size + strlen(shape->header) + 3;
    const pby_status status = pby_spool_reserve(rows->spool, room, &out, err);
    if (status != PBY_OK)
        return status;
    to = rows->tuples ? (uint8_t *)mempcpy(out, head.name, head.size)
                      : pby_put_name(out, head.name, head.size);
    to = (uint8_t *)mempcpy(to, shape->header, strlen(shape->header));
    *to++ = '\n';
    pby_spool_advance(rows->spool, (size_t)(to - out));
    return PBY_OK;
}

/* The counts of a row, one for each use; whether any may be published. */
static bool read_row(pby_publish *p, const int64_t *noisy, size_t n, size_t i)
{
    bool any = false;
    for (size_t u = 0; u < p->uses; u++) {
        p->counts[u] = noisy[u * n + i];
        any = any || p->counts[u] != PBY_SUPPRESSED;
    }
    return any;
}

/* Appends the values of one use's columns for a count; returns the place behind them. */
static int64_t *put_cells(const pby_publish *p, int64_t *to, int64_t count)
{
    const bool none = count == PBY_SUPPRESSED;
    switch (p->form) {
    case PBY_RELEASE_RANGES:
    case PBY_RELEASE_PASSED_RANGES:
        *to++ = none ? count : count - p->reach;
        *to++ = none ? count : count + p->reach;
        return to;
    case PBY_RELEASE_PRESENT:
        *to++ = none ? count : 1;
        return to;
    default:
        *to++ = count;
        return to;
    }
}

struct writer {
    const pby_publish *publish;
    pby_rows *rows;
};

static pby_status write_row(void *to, const uint8_t *name, size_t size, const int64_t *counts, pby_error *err)
{
    const struct writer *w = to;
    const pby_publish *p = w->publish;
    int64_t *cell = p->cells;
    for (size_t u = 0; u < p->uses; u++)
        cell = put_cells(p, cell, counts[u]);
    return pby_rows_add(w->rows, name, size, p->shape.columns, p->cells, err);
}

static pby_status gather(pby_publish *p, const int64_t *noisy, size_t n, pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        size_t size;
        if (!read_row(p, noisy, n, i))
            continue;
        const uint8_t *name = key_of(p, i, &size);
        status = pby_passed_add(p->passed, name, size, p->counts, err);
    }
    return status;
}

static pby_status write_rows(pby_publish *p, pby_rows *rows, const int64_t *noisy, size_t n, pby_error *err)
{
    struct writer writer = {p, rows};
    pby_status status = PBY_OK;
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        size_t size;
        const uint8_t *name = key_of(p, i, &size);
        read_row(p, noisy, n, i);
        status = write_row(&writer, name, size, p->counts, err);
    }
    return status;
}

/* In CSV the counts of one use come out as they went in. */
pby_status pby_publish_chunk(pby_publish *p, pby_rows *rows, const int64_t *noisy, size_t n, pby_error *err)
{
    const bool as_read = p->form == PBY_RELEASE_COUNTS && p->uses == 1 && rows->unit == NULL;
    pby_status status =
        rows->store == NULL ? PBY_OK : pby_store_shape(rows->store, p->shape.columns, rows->unit, true, err);
    if (status == PBY_OK && as_read && !rows->json && !rows->tuples && rows->store == NULL)
        return pby_csv_write_chunk(p->csv, rows->spool, noisy, n, err);
    if (rows->store != NULL && p->form == PBY_RELEASE_COUNTS && pby_csv_lent(p->csv) != NULL)
        pby_store_lend(rows->store, pby_csv_lent(p->csv));
    if (status == PBY_OK)
        status = write_header(p, rows, &p->shape, err);
    if (status != PBY_OK)
        return status;
    if (as_read && rows->store != NULL && pby_store_lent(rows->store) != NULL)
        return pby_store_add_lent(rows->store, noisy, n, err);
    return p->passed != NULL ? gather(p, noisy, n, err) : write_rows(p, rows, noisy, n, err);
}

pby_status pby_publish_total(pby_publish *p, pby_rows *rows, const char *name, const int64_t *noisy,
                             pby_error *err)
{
    struct writer writer = {p, rows};
    return write_row(&writer, (const uint8_t *)name, strlen(name), noisy, err);
}

pby_status pby_publish_end(pby_publish *p, pby_rows *rows, pby_error *err)
{
    struct writer writer = {p, rows};
    return p->passed == NULL ? PBY_OK : pby_passed_each(p->passed, write_row, &writer, err);
}
