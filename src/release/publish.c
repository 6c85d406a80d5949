#include "release/publish.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "table/csv_row.h"
#include "table/sort/passed.h"
#include "table/uses.h"

/* Of each form the header behind the first column, the columns, and whether the rows are gathered and sorted.
 * Counts of one use are written as they were read, in CSV. */
static const struct shape {
    const char *header;
    const char *const *columns;
    bool gathered;
} shapes[] = {
    [PBY_RELEASE_COUNTS] = {",count", pby_columns_count, false},
    [PBY_RELEASE_PASSED] = {",count", pby_columns_count, true},
    [PBY_RELEASE_PRESENT] = {"", pby_columns_none, true},
    [PBY_RELEASE_RANGES] = {",low,high", pby_columns_range, false},
    [PBY_RELEASE_PASSED_RANGES] = {",low,high", pby_columns_range, true},
};

/* What the first column is called where keys are hidden. */
static const char first_name[] = "key";

struct pby_publish {
    pby_release_form form;
    int64_t reach;
    size_t uses;
    pby_uses names;  /* of the columns of several uses */
    int64_t *values; /* of one row of them */
    struct shape shape;
    pby_csv *csv;
    pby_passed *passed; /* NULL where nothing is gathered */
    uint8_t *scratch;   /* for a name with escapes */
    size_t used;        /* bytes of it */
};

/* Several uses have as many columns. */
static pby_status shape_uses(pby_publish *p, pby_error *err)
{
    p->values = calloc(p->uses, sizeof *p->values);
    if (p->values == NULL || p->uses == 1)
        return p->values == NULL ? pby_no_memory(err) : PBY_OK;
    const pby_status status = pby_uses_name(&p->names, p->uses, err);
    p->shape = (struct shape){p->names.header, (const char *const *)p->names.columns, false};
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
        status = pby_passed_new(&p->passed, pby_csv_spread(csv), err);
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
    if (p->values != NULL)
        sodium_memzero(p->values, p->uses * sizeof *p->values);
    free(p->values);
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

static pby_status keep_header(pby_publish *p, pby_store *store, const uint8_t *at, const uint8_t *end,
                              pby_error *err)
{
    pby_csv_row row;
    size_t size;
    if (p->shape.gathered)
        return pby_store_head(store, first_name, strlen(first_name), err);
    if (pby_csv_row_header(&row, at, end, true) != PBY_ROW_FOUND)
        return PBY_OK;
    const uint8_t *name = pby_csv_row_key(&row, p->scratch, &size);
    return pby_store_head(store, noted(p, name, size), size, err);
}

/* A header where the input has one: its own first name only where every key is written. JSON has none. */
static pby_status write_header(pby_publish *p, pby_rows *rows, const struct shape *shape, pby_error *err)
{
    size_t size;
    const uint8_t *at = pby_csv_preamble(p->csv, &size), *const end = at + size;
    const size_t marked = pby_csv_row_mark(at, end);
    uint8_t *out, *to;
    pby_csv_row row;
    if (rows->json || size == marked)
        return PBY_OK;
    if (rows->store != NULL)
        return keep_header(p, rows->store, at + marked, end, err);
    const size_t room = 2 * size + strlen(first_name) + strlen(shape->header) + 3;
    const pby_status status = pby_spool_reserve(rows->spool, room, &out, err);
    if (status != PBY_OK)
        return status;
    memcpy(out, at, marked);
    to = out + marked;
    if (shape->gathered) {
        to = (uint8_t *)mempcpy(to, first_name, strlen(first_name));
    } else if (pby_csv_row_header(&row, at + marked, end, true) == PBY_ROW_FOUND) {
        size_t name_size;
        const uint8_t *name = pby_csv_row_key(&row, p->scratch, &name_size);
        to = pby_put_name(to, noted(p, name, name_size), name_size);
    }
    to = (uint8_t *)mempcpy(to, shape->header, strlen(shape->header));
    *to++ = '\n';
    pby_spool_advance(rows->spool, (size_t)(to - out));
    return PBY_OK;
}

static pby_status gather(pby_publish *p, const int64_t *noisy, size_t n, pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        size_t size;
        if (noisy[i] == PBY_SUPPRESSED)
            continue;
        const uint8_t *name = key_of(p, i, &size);
        status = pby_passed_add(p->passed, name, size, noisy[i], err);
    }
    return status;
}

static pby_status write_ranges(pby_publish *p, pby_rows *rows, const int64_t *noisy, size_t n, pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        const bool none = noisy[i] == PBY_SUPPRESSED;
        const int64_t ends[2] = {none ? 0 : noisy[i] - p->reach, none ? 0 : noisy[i] + p->reach};
        size_t size;
        const uint8_t *name = key_of(p, i, &size);
        status = pby_rows_add(rows, name, size, p->shape.columns, none ? NULL : ends, err);
    }
    return status;
}

/* In CSV the rows come out as they went in. */
static pby_status write_counts(pby_publish *p, pby_rows *rows, const int64_t *noisy, size_t n, pby_error *err)
{
    pby_status status = PBY_OK;
    if (!rows->json && rows->store == NULL)
        return pby_csv_write_chunk(p->csv, rows->spool, noisy, n, err);
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        size_t size;
        const uint8_t *name = key_of(p, i, &size);
        status = pby_rows_add(rows, name, size, pby_columns_count, &noisy[i], err);
    }
    return status;
}

static pby_status write_uses(pby_publish *p, pby_rows *rows, const int64_t *noisy, size_t n, pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        size_t size;
        const uint8_t *name = pby_csv_key(p->csv, i, p->scratch, &size);
        for (size_t u = 0; u < p->uses; u++)
            p->values[u] = noisy[u * n + i];
        status = pby_rows_add(rows, name, size, p->shape.columns, p->values, err);
    }
    return status;
}

pby_status pby_publish_chunk(pby_publish *p, pby_rows *rows, const int64_t *noisy, size_t n, pby_error *err)
{
    const struct shape *shape = &p->shape;
    const bool plain = p->form == PBY_RELEASE_COUNTS && p->uses == 1 && rows->unit == NULL;
    pby_status status =
        rows->store == NULL ? PBY_OK : pby_store_shape(rows->store, shape->columns, rows->unit, true, err);
    if (status == PBY_OK && (!plain || rows->store != NULL))
        status = write_header(p, rows, shape, err);
    if (status != PBY_OK)
        return status;
    if (plain)
        return write_counts(p, rows, noisy, n, err);
    if (p->form == PBY_RELEASE_COUNTS)
        return write_uses(p, rows, noisy, n, err);
    return shape->gathered ? gather(p, noisy, n, err) : write_ranges(p, rows, noisy, n, err);
}

pby_status pby_publish_end(pby_publish *p, pby_rows *rows, pby_error *err)
{
    return p->passed == NULL ? PBY_OK : pby_passed_write(p->passed, rows, p->shape.columns, p->reach, err);
}
