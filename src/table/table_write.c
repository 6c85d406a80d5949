/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "table/row/decimal.h"
#include "table/store/rows.h"
#include "table/table.h"

enum { PIECE = 1 << 16 };

/* Where written bytes go once there are some: nowhere from a spool that has a target of its own. */
struct sink {
    pby_table_take *take;
    void *what;
};

static pby_status pass_on(pby_spool *spool, const struct sink *sink, size_t least, pby_error *err)
{
    size_t size;
    const uint8_t *bytes = sink == NULL ? NULL : pby_spool_bytes(spool, &size);
    if (sink == NULL || size < least)
        return PBY_OK;
    const pby_status status = size == 0 ? PBY_OK : sink->take(sink->what, bytes, size, err);
    pby_spool_empty(spool);
    return status;
}

static bool keyed(const pby_table *t)
{
    return t->store == NULL || pby_store_keyed(t->store);
}

const char *pby_table_header(const pby_table *t, size_t *size)
{
    if (t->store != NULL)
        return pby_store_header(t->store, size);
    *size = t->header_size;
    return t->header;
}

static pby_status write_header(pby_table *t, pby_rows *rows, pby_error *err)
{
    size_t size, room;
    const char *name = pby_table_header(t, &size);
    uint8_t *to;
    if (rows->json || name == NULL)
        return PBY_OK;
    room = 2 * size + 3;
    for (size_t i = 0; i < pby_table_columns(t); i++)
        room += strlen(pby_table_names(t)[i]) + 1;
    const pby_status status = pby_spool_reserve(rows->spool, room, &to, err);
    if (status != PBY_OK)
        return status;
    uint8_t *const begin = to;
    to = pby_put_name(to, (const uint8_t *)name, size);
    for (size_t i = 0; i < pby_table_columns(t) && keyed(t); i++) {
        *to++ = ',';
        to = (uint8_t *)mempcpy(to, pby_table_names(t)[i], strlen(pby_table_names(t)[i]));
    }
    *to++ = '\n';
    pby_spool_advance(rows->spool, (size_t)(to - begin));
    return PBY_OK;
}

/* A row without a key is its value alone. */
static pby_status write_value(pby_rows *rows, int64_t value, pby_error *err)
{
    uint8_t text[PBY_DIGITS + 1], *end = pby_put_number(text, value);
    if (!rows->json)
        *end++ = '\n';
    const pby_status status = pby_rows_between(rows, err);
    return status == PBY_OK ? pby_spool_write(rows->spool, text, (size_t)(end - text), err) : status;
}

static pby_status write_row(pby_table *t, pby_rows *rows, pby_error *err)
{
    return keyed(t)
               ? pby_rows_add(rows, (const uint8_t *)t->key, t->key_size, pby_table_names(t), t->values, err)
               : write_value(rows, pby_table_count(t), err);
}

static pby_status write_rows(pby_table *t, pby_spool *spool, const struct sink *sink, pby_table_format format,
                             pby_error *err)
{
    pby_rows rows = {.spool = spool,
                     .json = format == PBY_FORMAT_JSON,
                     .gaps = true,
                     .unit = t->store == NULL ? NULL : pby_store_unit(t->store)};
    bool found = true, first = true;
    pby_status status = pby_table_rewind(t, err);
    if (status == PBY_OK)
        status = pby_rows_open(&rows, err);
    while (status == PBY_OK && found) {
        status = pby_table_next(t, &found, err);
        if (status == PBY_OK && first)
            status = write_header(t, &rows, err);
        if (status == PBY_OK && found)
            status = write_row(t, &rows, err);
        if (status == PBY_OK)
            status = pass_on(spool, sink, PIECE, err);
        first = false;
    }
    if (status == PBY_OK)
        status = pby_rows_close(&rows, err);
    if (status == PBY_OK && rows.json)
        status = pby_spool_write(spool, "\n", 1, err);
    return status == PBY_OK ? pass_on(spool, sink, 0, err) : status;
}

static pby_status check_format(pby_table_format format, pby_error *err)
{
    return format == PBY_FORMAT_CSV || format == PBY_FORMAT_JSON
               ? PBY_OK
               : pby_fail(err, PBY_BAD, "format: expected PBY_FORMAT_CSV or PBY_FORMAT_JSON");
}

pby_status pby_table_write(pby_table *t, const char *path, pby_table_format format, pby_error *err)
{
    pby_spool *spool;
    pby_status status = check_format(format, err);
    if (status == PBY_OK)
        status = pby_spool_open(&spool, path, err);
    if (status != PBY_OK)
        return status;
    status = write_rows(t, spool, NULL, format, err);
    if (status == PBY_OK)
        return pby_spool_commit(spool, err);
    pby_spool_abort(spool);
    return status;
}

static pby_status write_pieces(pby_table *t, const struct sink *sink, pby_spool **spool,
                               pby_table_format format, pby_error *err)
{
    *spool = NULL;
    pby_status status = check_format(format, err);
    if (status == PBY_OK)
        status = pby_spool_open_memory(spool, err);
    return status == PBY_OK ? write_rows(t, *spool, sink, format, err) : status;
}

pby_status pby_table_write_callback(pby_table *t, pby_table_take *take, void *what, pby_table_format format,
                                    pby_error *err)
{
    const struct sink sink = {take, what};
    pby_spool *spool;
    const pby_status status = write_pieces(t, &sink, &spool, format, err);
    pby_spool_abort(spool);
    return status;
}

pby_status pby_table_write_memory(char **text, size_t *size, pby_table *t, pby_table_format format,
                                  pby_error *err)
{
    pby_spool *spool;
    size_t all;
    *text = NULL;
    pby_status status = write_pieces(t, NULL, &spool, format, err);
    if (status == PBY_OK) {
        const uint8_t *bytes = pby_spool_bytes(spool, &all);
        *text = malloc(all + 1);
        if (*text == NULL) {
            status = pby_no_memory(err);
        } else {
            memcpy(*text, bytes, all);
            (*text)[all] = '\0';
            if (size != NULL)
                *size = all;
        }
    }
    pby_spool_abort(spool);
    return status;
}
