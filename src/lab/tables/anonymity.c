/* SPDX-License-Identifier: MIT */
/* A field is known by its number among those of its column, and a class by the numbers of its fields. */
#include "probity/experimental/anonymity.h"
#include "base/sorted.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/status.h"
#include "io/file.h"
#include "table/key/key_names.h"
#include "table/key/names.h"
#include "table/row/csv_row.h"
#include "table/row/field.h"

struct size {
    uint64_t records, classes;
};

struct pby_anonymity {
    pby_key_names quasi;
    uint64_t records, classes;
    struct size *size; /* the least first */
    size_t sizes;
};

/* A table on its way in. */
struct reading {
    const char *path;
    const pby_key_names *quasi;
    const uint8_t *end;
    uint8_t *scratch;
    uint64_t line;
    unsigned width, column[PBY_LAYOUT_KEYS]; /* of the table; of each name, from 1 */
    pby_names *fields[PBY_LAYOUT_KEYS];      /* of each column */
    pby_names *classes;
    uint64_t *members; /* of each class */
    size_t room;
};

static pby_status refuse(const struct reading *r, uint64_t newlines, unsigned column, const char *expected,
                         pby_error *err)
{
    return pby_field_refuse(r->path, r->line + newlines, column, expected, err);
}

/* ---- the header -------------------------------------------------------------------------------- */

static pby_status note(struct reading *r, const pby_csv_row *field, pby_error *err)
{
    size_t size;
    const uint8_t *called = pby_csv_row_key(field, r->scratch, &size);
    for (size_t i = 0; i < r->quasi->count; i++) {
        const char *name = r->quasi->name[i];
        if (size != strlen(name) || memcmp(called, name, size) != 0)
            continue;
        if (r->column[i] != 0)
            return pby_refuse(err, "quasi", name, "the name of one column, not of two");
        r->column[i] = r->width;
    }
    return PBY_OK;
}

static pby_status read_header(struct reading *r, const uint8_t **at, pby_error *err)
{
    uint64_t newlines = 0;
    pby_status status = *at == r->end ? refuse(r, 0, 1, "a line that names the columns", err) : PBY_OK;
    for (bool more = true; more && status == PBY_OK;) {
        pby_csv_row field;
        if (pby_csv_row_field(&field, ++r->width, *at, r->end, &more) != PBY_ROW_FOUND)
            return refuse(r, newlines, r->width, field.expected, err);
        status = note(r, &field, err);
        newlines += field.newlines;
        *at = field.end;
    }
    r->line += newlines + 1;
    for (size_t i = 0; i < r->quasi->count && status == PBY_OK; i++)
        if (r->column[i] == 0)
            status = pby_refuse(err, "quasi", r->quasi->name[i], "the name of a column in the first line");
    return status;
}

/* ---- the rows ---------------------------------------------------------------------------------- */

static pby_status count_member(struct reading *r, const size_t *number, pby_error *err)
{
    size_t class;
    const size_t before = pby_names_count(r->classes);
    const pby_status status =
        pby_names_add(r->classes, (const uint8_t *)number, r->quasi->count * sizeof *number, &class, err);
    if (status != PBY_OK)
        return status;
    PBY_RESERVE(r->members, r->room, class + 1, err);
    r->members[class] = class < before ? r->members[class] + 1 : 1;
    return PBY_OK;
}

static pby_status take_field(struct reading *r, size_t *number, unsigned column, const pby_csv_row *field,
                             pby_error *err)
{
    size_t size;
    for (size_t i = 0; i < r->quasi->count; i++)
        if (r->column[i] == column) {
            const uint8_t *name = pby_csv_row_key(field, r->scratch, &size);
            return pby_names_add(r->fields[i], name, size, &number[i], err);
        }
    return PBY_OK;
}

static pby_status read_row(struct reading *r, const uint8_t **at, pby_error *err)
{
    size_t number[PBY_LAYOUT_KEYS] = {0};
    uint64_t newlines = 0;
    pby_status status = PBY_OK;
    bool more = true;
    for (unsigned column = 1; more && status == PBY_OK; column++) {
        pby_csv_row field;
        if (column > r->width)
            return refuse(r, newlines, column, "no more columns than the first line names", err);
        if (pby_csv_row_field(&field, column, *at, r->end, &more) != PBY_ROW_FOUND)
            return refuse(r, newlines, column, field.expected, err);
        if (!more && column < r->width)
            return refuse(r, newlines, column + 1, "as many columns as the first line names", err);
        status = take_field(r, number, column, &field, err);
        newlines += field.newlines;
        *at = field.end;
    }
    r->line += newlines + 1;
    return status == PBY_OK ? count_member(r, number, err) : status;
}

/* ---- all of it --------------------------------------------------------------------------------- */

/* The sizes of the classes, which are sorted for it. */
static pby_status settle(pby_anonymity *out, struct reading *r, pby_error *err)
{
    out->classes = pby_names_count(r->classes);
    out->size = calloc(out->classes + 1, sizeof *out->size);
    if (out->size == NULL)
        return pby_no_memory(err);
    if (out->classes > 0)
        qsort(r->members, out->classes, sizeof *r->members, pby_compare_uint64);
    for (size_t i = 0; i < out->classes; i++) {
        if (i == 0 || r->members[i] != r->members[i - 1])
            out->size[out->sizes++].records = r->members[i];
        out->size[out->sizes - 1].classes++;
        out->records += r->members[i];
    }
    return PBY_OK;
}

static pby_status read_all(pby_anonymity *out, struct reading *r, const char *text, size_t size,
                           pby_error *err)
{
    const uint8_t *at = (const uint8_t *)text;
    r->end = at + size;
    at += pby_csv_row_mark(at, r->end);
    pby_status status = read_header(r, &at, err);
    while (at < r->end && status == PBY_OK)
        status = read_row(r, &at, err);
    return status == PBY_OK ? settle(out, r, err) : status;
}

static pby_status reading_init(struct reading *r, pby_error *err)
{
    r->scratch = malloc(PBY_ROW_KEY_MAX);
    PBY_TRY(r->scratch == NULL ? pby_no_memory(err) : pby_names_new(&r->classes, err));
    for (size_t i = 0; i < r->quasi->count; i++)
        PBY_TRY(pby_names_new(&r->fields[i], err));
    return PBY_OK;
}

static void reading_clear(struct reading *r)
{
    for (size_t i = 0; i < PBY_LAYOUT_KEYS; i++)
        pby_names_free(r->fields[i]);
    pby_names_free(r->classes);
    free(r->members);
    if (r->scratch != NULL)
        sodium_memzero(r->scratch, PBY_ROW_KEY_MAX);
    free(r->scratch);
}

pby_status pby_anonymity_csv(pby_anonymity **out, const char *path, const char *quasi, pby_error *err)
{
    char *text = NULL;
    size_t size = 0;
    pby_anonymity *found = *out = calloc(1, sizeof *found);
    if (found == NULL)
        return pby_no_memory(err);
    struct reading r = {.path = path, .quasi = &found->quasi, .line = 1};
    pby_status status = pby_key_names_parse(&found->quasi, "quasi", quasi, err);
    if (status == PBY_OK)
        status = reading_init(&r, err);
    if (status == PBY_OK)
        status = pby_file_read_table(&text, &size, path, err);
    if (status == PBY_OK)
        status = read_all(found, &r, text, size, err);
    if (text != NULL)
        sodium_memzero(text, size);
    free(text);
    reading_clear(&r);
    if (status != PBY_OK) {
        pby_anonymity_free(found);
        *out = NULL;
    }
    return status;
}

void pby_anonymity_free(pby_anonymity *found)
{
    if (found == NULL)
        return;
    pby_key_names_clear(&found->quasi);
    free(found->size);
    free(found);
}

uint64_t pby_anonymity_records(const pby_anonymity *found)
{
    return found->records;
}

uint64_t pby_anonymity_classes(const pby_anonymity *found)
{
    return found->classes;
}

uint64_t pby_anonymity_least(const pby_anonymity *found)
{
    return found->sizes == 0 ? 0 : found->size[0].records;
}

size_t pby_anonymity_sizes(const pby_anonymity *found)
{
    return found->sizes;
}

bool pby_anonymity_size_at(uint64_t *records, uint64_t *classes, const pby_anonymity *found, size_t i)
{
    if (i >= found->sizes)
        return false;
    *records = found->size[i].records;
    *classes = found->size[i].classes;
    return true;
}

size_t pby_anonymity_columns(const pby_anonymity *found)
{
    return found->quasi.count;
}

const char *pby_anonymity_column(const pby_anonymity *found, size_t i)
{
    return i < found->quasi.count ? found->quasi.name[i] : NULL;
}
