/* SPDX-License-Identifier: MIT */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "table/store/rows.h"
#include "table/table.h"

pby_status pby_table_scan(pby_table *t, pby_error *err)
{
    uint64_t rows;
    pby_csv_allow_empty(t->csv);
    if (t->scores)
        pby_csv_allow_negative(t->csv);
    return pby_csv_scan(t->csv, &rows, err);
}

/* Counts raw records, unless that is done; of any other table nothing. */
static pby_status count_records(pby_table *t, pby_error *err)
{
    if (t->records == NULL || t->csv != NULL)
        return PBY_OK;
    return pby_records_count(&t->csv, t->records, NULL, err);
}

pby_status pby_table_rewind(pby_table *t, pby_error *err)
{
    t->scanned = t->row = false;
    t->chunk = t->at = 0;
    if (t->store == NULL) {
        const pby_status status = count_records(t, err);
        return status == PBY_OK ? pby_csv_restart(t->csv, err) : status;
    }
    pby_store_rewind(t->store);
    return PBY_OK;
}

static pby_status set_key(pby_table *t, const uint8_t *key, size_t size, pby_error *err)
{
    if (size >= t->key_room) {
        char *wider = malloc(2 * size + 1);
        if (wider == NULL)
            return pby_no_memory(err);
        sodium_memzero(t->key, t->key_room);
        free(t->key);
        t->key = wider;
        t->key_room = 2 * size + 1;
    }
    if (size > 0)
        memcpy(t->key, key, size);
    t->key[size] = '\0';
    t->key_size = size;
    return PBY_OK;
}

/* The header's first name, from the first chunk. */
static pby_status note_header(pby_table *t, pby_error *err)
{
    const pby_csv_head head = pby_csv_head_of(t->csv, t->scratch);
    if (head.name == NULL || t->header != NULL)
        return PBY_OK;
    t->header = malloc(head.size + 1);
    if (t->header == NULL)
        return pby_no_memory(err);
    memcpy(t->header, head.name, head.size);
    t->header_size = head.size;
    return PBY_OK;
}

/* Anew: a release, or a scan that failed, may have stopped anywhere. */
static pby_status begin(pby_table *t, pby_error *err)
{
    if (t->counts == NULL)
        t->counts = malloc(PBY_TABLE_CHUNK * sizeof *t->counts);
    if (t->scratch == NULL)
        t->scratch = malloc(PBY_ROW_KEY_MAX);
    pby_status status = t->counts == NULL || t->scratch == NULL ? pby_no_memory(err) : count_records(t, err);
    if (status == PBY_OK)
        status = pby_csv_restart(t->csv, err);
    return status == PBY_OK ? pby_table_scan(t, err) : status;
}

static pby_status next_chunk(pby_table *t, pby_error *err)
{
    const bool first = !t->scanned;
    pby_status status = first ? begin(t, err) : PBY_OK;
    t->at = t->chunk = 0;
    if (status == PBY_OK) {
        t->scanned = true;
        status = pby_csv_next_chunk(t->csv, t->counts, PBY_TABLE_CHUNK, &t->chunk, err);
    }
    return status == PBY_OK && first ? note_header(t, err) : status;
}

static pby_status next_counted(pby_table *t, bool *found, pby_error *err)
{
    pby_status status = t->at == t->chunk ? next_chunk(t, err) : PBY_OK;
    if (status != PBY_OK || t->chunk == 0)
        return status;
    size_t size;
    const uint8_t *key = pby_csv_key(t->csv, t->at, t->scratch, &size);
    t->values = &t->counts[t->at++];
    status = set_key(t, key, size, err);
    *found = status == PBY_OK;
    return status;
}

static pby_status next_released(pby_table *t, bool *found, pby_error *err)
{
    const uint8_t *key;
    size_t size;
    bool more;
    pby_status status = pby_store_next(t->store, &more, &key, &size, &t->values, err);
    if (status == PBY_OK && more)
        status = set_key(t, key, size, err);
    *found = status == PBY_OK && more;
    return status;
}

/* A table begins anew after a failure: a scan cannot be taken up in its middle. */
pby_status pby_table_next(pby_table *t, bool *found, pby_error *err)
{
    *found = t->row = false;
    const pby_status status = t->store != NULL ? next_released(t, found, err) : next_counted(t, found, err);
    t->row = *found;
    if (status != PBY_OK)
        (void)!pby_table_rewind(t, NULL);
    return status;
}

const char *pby_table_key(const pby_table *t, size_t *size)
{
    if (size != NULL)
        *size = t->row ? t->key_size : 0;
    return t->row ? t->key : "";
}

size_t pby_table_columns(const pby_table *t)
{
    return t->store == NULL ? 1 : pby_store_width(t->store);
}

const char *const *pby_table_names(const pby_table *t)
{
    return t->store == NULL ? pby_columns_count : pby_store_columns(t->store);
}

const char *pby_table_column(const pby_table *t, size_t column)
{
    return column < pby_table_columns(t) ? pby_table_names(t)[column] : NULL;
}

int64_t pby_table_value(const pby_table *t, size_t column)
{
    const bool there = t->row && column < pby_table_columns(t) && t->values != NULL;
    return there ? t->values[column] : PBY_SUPPRESSED;
}

int64_t pby_table_count(const pby_table *t)
{
    return pby_table_value(t, 0);
}

const char *pby_table_unit(const pby_table *t)
{
    return t->unit == NULL ? "1" : t->unit;
}
