/* SPDX-License-Identifier: MIT */
#include "table/answer/bars.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "io/file.h"
#include "table/row/csv_row.h"
#include "table/row/field.h"

static void wipe(pby_bar *bar, size_t room)
{
    if (bar != NULL)
        sodium_memzero(bar, room * sizeof *bar);
    free(bar);
}

static pby_status make_room(pby_bars *bars, pby_error *err)
{
    if (bars->count < bars->room)
        return PBY_OK;
    const size_t room = bars->room == 0 ? 64 : 2 * bars->room;
    pby_bar *bar = calloc(room, sizeof *bar);
    if (bar == NULL)
        return pby_no_memory(err);
    if (bars->count > 0)
        memcpy(bar, bars->bar, bars->count * sizeof *bar);
    wipe(bars->bar, bars->room);
    bars->bar = bar;
    bars->room = room;
    return PBY_OK;
}

/* Takes the key over. */
static pby_status add_bar(pby_bars *bars, char *key, int64_t count, uint64_t line, pby_error *err)
{
    const pby_status status = make_room(bars, err);
    if (status != PBY_OK) {
        free(key);
        return status;
    }
    pby_bar *bar = &bars->bar[bars->count];
    bar->key = key;
    mpq_init(bar->at);
    bar->count = count > 0 ? count : 0;
    bar->line = line;
    bars->count++;
    pby_key_kinds_add(&bars->kinds, pby_key_kind_of(bar->at, bar->key), line);
    return PBY_OK;
}

static pby_status add_row(pby_bars *bars, const pby_csv_row *row, uint64_t line, pby_error *err)
{
    size_t size;
    char *text = malloc(row->key_size + 1);
    if (text == NULL)
        return pby_no_memory(err);
    const uint8_t *key = pby_csv_row_key(row, (uint8_t *)text, &size);
    memmove(text, key, size);
    text[size] = '\0';
    return add_bar(bars, text, row->count, line, err);
}

static pby_status add_rows(pby_bars *bars, const uint8_t *at, const uint8_t *end, const char *path,
                           pby_error *err)
{
    uint64_t line = 1;
    pby_csv_row row;
    at += pby_csv_row_mark(at, end);
    if (at < end && pby_csv_row_header(&row, at, end, true) == PBY_ROW_FOUND) {
        at = row.end;
        line += row.newlines + 1;
    }
    for (; at < end; at = row.end, line += row.newlines + 1) {
        if (pby_csv_row_released(&row, at, end) != PBY_ROW_FOUND)
            return pby_field_refuse(path, line + row.newlines, row.column, row.expected, err);
        const pby_status status = add_row(bars, &row, line, err);
        if (status != PBY_OK)
            return status;
    }
    return PBY_OK;
}

/* ---- order ------------------------------------------------------------------------------------- */

static int by_line(const void *a, const void *b)
{
    const uint64_t x = ((const pby_bar *)a)->line, y = ((const pby_bar *)b)->line;
    return (x > y) - (x < y);
}

static int by_position(const void *a, const void *b)
{
    const int order = mpq_cmp(((const pby_bar *)a)->at, ((const pby_bar *)b)->at);
    return order != 0 ? order : by_line(a, b);
}

static int by_key(const void *a, const void *b)
{
    const int order = strcmp(((const pby_bar *)a)->key, ((const pby_bar *)b)->key);
    return order != 0 ? order : by_line(a, b);
}

/* Keys are brought together for the search, and put back. */
static pby_status refuse_twice(pby_bars *bars, const char *path, pby_error *err)
{
    uint64_t again = 0;
    const bool numbers = pby_key_kinds_numbers(&bars->kinds);
    if (!numbers)
        qsort(bars->bar, bars->count, sizeof *bars->bar, by_key);
    for (size_t i = 1; i < bars->count; i++) {
        const pby_bar *a = &bars->bar[i - 1], *b = &bars->bar[i];
        const bool same = numbers ? mpq_equal(a->at, b->at) : strcmp(a->key, b->key) == 0;
        if (same && (again == 0 || b->line < again))
            again = b->line;
    }
    if (again != 0)
        return pby_field_refuse(path, again, 1, "a key that does not stand on an earlier line", err);
    if (!numbers)
        qsort(bars->bar, bars->count, sizeof *bars->bar, by_line);
    return PBY_OK;
}

static void put_in_order(pby_bars *bars)
{
    if (bars->count > 0 && pby_key_kinds_numbers(&bars->kinds))
        qsort(bars->bar, bars->count, sizeof *bars->bar, by_position);
}

pby_status pby_bars_of(pby_bars *out, pby_store *store, pby_error *err)
{
    size_t size;
    uint64_t line = pby_store_header(store, &size) == NULL ? 1 : 2;
    bool found = true;
    pby_status status = PBY_OK;
    *out = (pby_bars){.count = 0};
    pby_store_rewind(store);
    while (status == PBY_OK && found) {
        const uint8_t *key;
        const int64_t *values;
        status = pby_store_next(store, &found, &key, &size, &values, err);
        if (status != PBY_OK || !found)
            break;
        char *text = strndup((const char *)key, size);
        status = text == NULL ? pby_no_memory(err)
                              : add_bar(out, text, values == NULL ? 0 : values[0], line++, err);
    }
    if (status == PBY_OK)
        put_in_order(out);
    return status;
}

pby_status pby_bars_read(pby_bars *out, const char *path, pby_error *err)
{
    char *text;
    size_t size;
    *out = (pby_bars){.count = 0};
    pby_status status = pby_file_read_table(&text, &size, path, err);
    if (status != PBY_OK)
        return status;
    status = add_rows(out, (const uint8_t *)text, (const uint8_t *)text + size, path, err);
    if (status == PBY_OK)
        put_in_order(out);
    sodium_memzero(text, size);
    free(text);
    const uint64_t beyond = pby_key_kinds_beyond(&out->kinds);
    if (status == PBY_OK && beyond > 0)
        return pby_field_refuse(path, beyond, 1, pby_key_kinds_expected, err);
    return status == PBY_OK && out->count > 0 ? refuse_twice(out, path, err) : status;
}

void pby_bars_clear(pby_bars *bars)
{
    for (size_t i = 0; i < bars->count; i++) {
        sodium_memzero(bars->bar[i].key, strlen(bars->bar[i].key));
        free(bars->bar[i].key);
        mpq_clear(bars->bar[i].at);
    }
    wipe(bars->bar, bars->room);
}
