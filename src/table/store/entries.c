/* SPDX-License-Identifier: MIT */
#include "table/store/entries.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "table/row/field.h"

pby_status pby_entries_new(pby_entries **out, const char *name, pby_error *err)
{
    pby_entries *e = *out = calloc(1, sizeof *e);
    if (e == NULL)
        return pby_no_memory(err);
    e->layout = (pby_layout){.keys = 1, .key = {1}, .count = 2};
    e->next_line = 1;
    e->name = strdup(name);
    if (e->name != NULL)
        return PBY_OK;
    pby_entries_free(e);
    *out = NULL;
    return pby_no_memory(err);
}

static void wipe(void *bytes, size_t size)
{
    if (bytes != NULL)
        sodium_memzero(bytes, size);
    free(bytes);
}

void pby_entries_free(pby_entries *e)
{
    if (e == NULL)
        return;
    wipe(e->bytes, e->bytes_room);
    wipe(e->entry, e->room * sizeof *e->entry);
    pby_arrow_rows_free(e->lent);
    free(e->header);
    free(e->name);
    free(e);
}

static uint32_t newlines(const uint8_t *key, size_t size)
{
    uint32_t n = 0;
    for (size_t i = 0; i < size; i++)
        n += key[i] == '\n';
    return n;
}

pby_status pby_entries_head(pby_entries *e, const void *name, size_t size, pby_error *err)
{
    e->header = malloc(size + 1);
    if (e->header == NULL)
        return pby_no_memory(err);
    if (size > 0)
        memcpy(e->header, name, size);
    e->header_size = size;
    e->layout.header = true;
    e->next_line += newlines(e->header, size) + 1;
    return PBY_OK;
}

/* Room for `more` elements behind the `used` ones; what is given up is wiped. */
static pby_status widen_array(void **array, size_t *room, size_t used, size_t more, size_t element,
                              pby_error *err)
{
    if (*room - used >= more)
        return PBY_OK;
    const size_t wider = 2 * (used + more) + 64;
    void *wide = reallocarray(NULL, wider, element);
    if (wide == NULL)
        return pby_no_memory(err);
    if (used > 0)
        memcpy(wide, *array, used * element);
    wipe(*array, *room * element);
    *array = wide;
    *room = wider;
    return PBY_OK;
}

pby_status pby_entries_add(pby_entries *e, const uint8_t *key, size_t size, int64_t count, uint64_t line,
                           uint32_t below, pby_error *err)
{
    void *entry = e->entry, *bytes = e->bytes;
    pby_status status = widen_array(&entry, &e->room, e->count, 1, sizeof *e->entry, err);
    e->entry = entry;
    if (status == PBY_OK)
        status = widen_array(&bytes, &e->bytes_room, e->size, size + 1, 1,
                             err); /* there for a key of no bytes too */
    e->bytes = bytes;
    if (status != PBY_OK)
        return status;
    e->entry[e->count++] = (pby_entry){e->size, (uint32_t)size, below, line, count};
    if (size > 0)
        memcpy(e->bytes + e->size, key, size);
    e->size += size;
    return PBY_OK;
}

pby_status pby_entries_append(pby_entries *e, const uint8_t *key, size_t size, int64_t count, pby_error *err)
{
    const uint32_t below = newlines(key, size);
    const pby_status status = pby_entries_add(e, key, size, count, e->next_line, below, err);
    e->next_line += below + 1;
    return status;
}

/* ---- rows of batches ---------------------------------------------------------------------------- */

void pby_entries_lend(pby_entries *e, pby_arrow_rows *rows)
{
    e->lent = rows;
    e->count = rows->count;
}

const uint8_t *pby_entries_key(pby_entries *e, size_t row, size_t *size, char digits[PBY_ARROW_DIGITS])
{
    const uint8_t *key;
    if (e->lent == NULL) {
        *size = e->entry[row].size;
        return e->bytes + e->entry[row].key;
    }
    (void)pby_arrow_rows_key(e->lent, &e->last, row, &key, size, digits);
    return key;
}

void pby_entries_counts(pby_entries *e, size_t row, int64_t *counts, size_t n)
{
    if (e->lent != NULL) {
        pby_arrow_rows_counts(e->lent, &e->last, row, counts, n);
        return;
    }
    for (size_t i = 0; i < n; i++)
        counts[i] = e->entry[row + i].count;
}

/* The column of the table that the first or second field was read from. */
static unsigned column_of(const pby_layout *l, unsigned field)
{
    const unsigned chosen = field == 1 ? l->key[0] : l->count;
    return l->chosen && !l->records && chosen > 0 ? chosen : field;
}

pby_status pby_entries_refuse(const pby_entries *e, uint64_t line, unsigned column, const char *expected,
                              pby_error *err)
{
    return e->lent == NULL ? pby_field_refuse(e->name, line, column_of(&e->layout, column), expected, err)
                           : pby_arrow_refuse(e->name, line, e->lent->column[column - 1], expected, err);
}
