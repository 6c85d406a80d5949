/* SPDX-License-Identifier: MIT */
#include "table/map/universe.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/status.h"
#include "io/file.h"
#include "kernel/contraction.h"
#include "table/csv/csv.h"
#include "table/key/names.h"
#include "table/row/field.h"
#include "table/store/entries.h"
#include "table/store/key_row.h"

enum { CHUNK = 1 << 12 };

static const char header[] = "key";

struct pby_universe {
    const char *option;
    pby_names *keys;
    pby_names *groups; /* NULL without groups: then a bar is a key */
    size_t *bar;       /* of each key, with groups */
    size_t bar_room;
    uint8_t *scratch; /* for a name with escapes */
    pby_digest digest;
};

const pby_names *pby_universe_bars(const pby_universe *u)
{
    return u->groups != NULL ? u->groups : u->keys;
}

void pby_universe_free(pby_universe *u)
{
    if (u == NULL)
        return;
    pby_names_free(u->keys);
    pby_names_free(u->groups);
    free(u->bar);
    if (u->scratch != NULL)
        sodium_memzero(u->scratch, PBY_ROW_KEY_MAX);
    free(u->scratch);
    free(u);
}

static pby_status universe_new(pby_universe **out, bool grouped, const char *option, pby_error *err)
{
    pby_universe *u = *out = calloc(1, sizeof *u);
    if (u == NULL)
        return pby_no_memory(err);
    u->option = option;
    u->scratch = malloc(PBY_ROW_KEY_MAX);
    PBY_TRY(u->scratch == NULL ? pby_no_memory(err) : pby_names_new(&u->keys, err));
    if (grouped)
        return pby_names_new(&u->groups, err);
    return PBY_OK;
}

/* ---- the table -------------------------------------------------------------------------------- */

static pby_status set_bar(pby_universe *u, size_t key, size_t bar, pby_error *err)
{
    PBY_RESERVE(u->bar, u->bar_room, key + 1, err);
    u->bar[key] = bar;
    return PBY_OK;
}

/* *known says whether the key was there; otherwise it is the last, to be grouped. */
static pby_status add_key(pby_universe *u, const uint8_t *name, size_t size, bool *known, pby_error *err)
{
    size_t key;
    const size_t before = pby_names_count(u->keys);
    const pby_status status = pby_names_add(u->keys, name, size, &key, err);
    *known = status == PBY_OK && key < before;
    return status;
}

static pby_status group_key(pby_universe *u, const uint8_t *name, size_t size, pby_error *err)
{
    size_t bar;
    const pby_status status = pby_names_add(u->groups, name, size, &bar, err);
    return status == PBY_OK ? set_bar(u, pby_names_count(u->keys) - 1, bar, err) : status;
}

static pby_status add_line(pby_universe *u, const pby_csv_row *row, const pby_csv_row *group, bool *known,
                           pby_error *err)
{
    size_t size;
    const uint8_t *name = pby_csv_row_key(row, u->scratch, &size);
    const pby_status status = add_key(u, name, size, known, err);
    if (status != PBY_OK || *known || u->groups == NULL)
        return status;
    name = pby_csv_row_key(group, u->scratch, &size);
    return group_key(u, name, size, err);
}

static pby_status add_lines(pby_universe *u, const uint8_t *at, const uint8_t *end, const char *path,
                            pby_error *err)
{
    pby_csv_row row, group;
    at += pby_csv_row_mark(at, end);
    if (at == end)
        return pby_field_refuse(path, 1, 1, u->groups != NULL ? "a line KEY,GROUP" : "a line KEY", err);
    for (uint64_t line = 1; at < end; at = row.end, line += row.newlines + 1) {
        bool known;
        if (pby_csv_row_names(&row, u->groups != NULL ? &group : NULL, at, end) != PBY_ROW_FOUND)
            return pby_field_refuse(path, line + row.newlines, row.column, row.expected, err);
        const pby_status status = add_line(u, &row, &group, &known, err);
        if (status != PBY_OK)
            return status;
        if (known)
            return pby_field_refuse(path, line, 1, "a key once; this is a duplicate", err);
    }
    return PBY_OK;
}

/* The result of reading a line whose key has several columns. */
struct wide {
    size_t columns;
    unsigned column;      /* that is wrong, */
    const char *expected; /* where this is not NULL */
    uint64_t newlines;
    bool known; /* the key stands on an earlier line */
};

/* A line of a key of several columns, and its group; *column and *expected say what is wrong with one that is
 * none. */
static pby_status add_wide_line(pby_universe *u, const uint8_t **at, const uint8_t *end, pby_key_row *key,
                                struct wide *line, pby_error *err)
{
    const size_t fields = line->columns + (u->groups != NULL ? 1 : 0);
    bool more = true;
    pby_status status = PBY_OK;
    pby_csv_row field = {.key = NULL};
    size_t size;
    pby_key_row_begin(key);
    for (line->column = 1; line->column <= fields && status == PBY_OK; line->column++) {
        line->expected = more ? NULL : "as many fields as a key has columns, and its group where it has one";
        if (line->expected == NULL &&
            pby_csv_row_field(&field, line->column, *at, end, &more) != PBY_ROW_FOUND)
            line->expected = field.expected;
        if (line->expected != NULL)
            return PBY_OK;
        *at = field.end;
        line->newlines += field.newlines;
        const uint8_t *name = pby_csv_row_key(&field, u->scratch, &size);
        if (line->column <= line->columns)
            status = pby_key_row_add(key, name, size, err);
    }
    line->expected = more ? "the end of the line" : NULL;
    if (status == PBY_OK && line->expected == NULL)
        status = add_key(u, key->bytes, key->size, &line->known, err);
    if (status != PBY_OK || line->expected != NULL || line->known || u->groups == NULL)
        return status;
    const uint8_t *name = pby_csv_row_key(&field, u->scratch, &size);
    return group_key(u, name, size, err);
}

static pby_status add_wide_lines(pby_universe *u, const uint8_t *at, const uint8_t *end, size_t columns,
                                 const char *path, pby_error *err)
{
    pby_key_row key = {.bytes = NULL};
    pby_status status = PBY_OK;
    at += pby_csv_row_mark(at, end);
    if (at == end)
        return pby_field_refuse(path, 1, 1, "a line with a field for each column of a key", err);
    for (uint64_t line = 1; at < end && status == PBY_OK;) {
        struct wide w = {.columns = columns};
        status = add_wide_line(u, &at, end, &key, &w, err);
        if (status == PBY_OK && w.expected != NULL)
            status = pby_field_refuse(path, line + w.newlines, w.column, w.expected, err);
        else if (status == PBY_OK && w.known)
            status = pby_field_refuse(path, line, 1, "a key once; this is a duplicate", err);
        line += w.newlines + 1;
    }
    pby_key_row_clear(&key);
    return status;
}

pby_status pby_universe_read(pby_universe **out, const char *path, bool grouped, const char *option,
                             const char *data, pby_error *err)
{
    return pby_universe_read_rows(out, path, grouped, 1, option, data, err);
}

pby_status pby_universe_read_rows(pby_universe **out, const char *path, bool grouped, size_t columns,
                                  const char *option, const char *data, pby_error *err)
{
    char *text = NULL;
    size_t size;
    *out = NULL;
    if (pby_file_same(path, data))
        return pby_refuse(err, option, path, "a public table, not the data themselves");
    pby_status status = pby_file_read_table(&text, &size, path, err);
    if (status == PBY_OK)
        status = universe_new(out, grouped, option, err);
    if (status == PBY_OK) {
        pby_digest_bytes(&(*out)->digest, text, size);
        const uint8_t *begin = (const uint8_t *)text;
        status = columns == 1 ? add_lines(*out, begin, begin + size, path, err)
                              : add_wide_lines(*out, begin, begin + size, columns, path, err);
    }
    free(text);
    if (status != PBY_OK) {
        pby_universe_free(*out);
        *out = NULL;
    }
    return status;
}

static pby_status refuse_pair(const pby_universe *u, size_t i, const char *expected, pby_error *err)
{
    return pby_fail(err, PBY_BAD, "%s: row %zu: expected %s", u->option, i + 1, expected);
}

static pby_status add_pair(pby_universe *u, size_t i, const char *key, const char *group, pby_error *err)
{
    bool known;
    const char *expected = pby_csv_row_key_expected((const uint8_t *)key, strlen(key));
    if (expected == NULL && group != NULL)
        expected = pby_csv_row_key_expected((const uint8_t *)group, strlen(group));
    if (expected != NULL)
        return refuse_pair(u, i, expected, err);
    const pby_status status = add_key(u, (const uint8_t *)key, strlen(key), &known, err);
    if (status == PBY_OK && known)
        return refuse_pair(u, i, "a key that stands in no row before", err);
    return status == PBY_OK && group != NULL ? group_key(u, (const uint8_t *)group, strlen(group), err)
                                             : status;
}

static pby_status add_pairs(pby_universe *u, const char *const *keys, const char *const *groups, size_t n,
                            pby_error *err)
{
    PBY_TRY(n > 0 ? PBY_OK : pby_fail(err, PBY_BAD, "%s: expected at least one key", u->option));
    for (size_t i = 0; i < n; i++)
        PBY_TRY(add_pair(u, i, keys[i], groups == NULL ? NULL : groups[i], err));
    return PBY_OK;
}

pby_status pby_universe_of(pby_universe **out, const char *const *keys, const char *const *groups, size_t n,
                           const char *option, pby_error *err)
{
    pby_status status = universe_new(out, groups != NULL, option, err);
    if (status == PBY_OK)
        status = add_pairs(*out, keys, groups, n, err);
    if (status != PBY_OK) {
        pby_universe_free(*out);
        *out = NULL;
    }
    return status;
}

const pby_digest *pby_universe_digest(const pby_universe *u)
{
    return &u->digest;
}

/* ---- reading ---------------------------------------------------------------------------------- */

/* Rows of the histogram, as they are read. */
struct chunk {
    int64_t counts[CHUNK];
    size_t bar[CHUNK]; /* PBY_NO_NAME where the table does not have the key */
};

size_t pby_universe_bar(const pby_universe *u, const uint8_t *name, size_t size)
{
    const size_t key = pby_names_find(u->keys, name, size);
    return u->groups == NULL || key == PBY_NO_NAME ? key : u->bar[key];
}

/* A byte order mark and a header stand before the bars if they stood before the histogram's, whose words are
 * not public: its keys are not. */
static pby_status copy_head(pby_entries *out, const pby_universe *u, const pby_csv *csv, pby_error *err)
{
    const pby_csv_head head = pby_csv_head_of(csv, u->scratch);
    out->marked = head.marked;
    return head.name == NULL ? PBY_OK : pby_entries_head(out, header, strlen(header), err);
}

/* A reading of the histogram into a new one. It keeps something for each bar, which is wiped at the end. */
struct reading {
    size_t kept; /* bytes for each bar, at first 0 */
    pby_status (*take)(pby_entries *out, const pby_universe *u, const pby_csv *csv, struct chunk *chunk,
                       size_t n, void *bars, pby_error *err);
    pby_status (*end)(pby_entries *out, const pby_universe *u, const void *bars, pby_error *err);
};

static pby_status read_rows(pby_entries *out, const struct reading *way, const pby_universe *u, pby_csv *csv,
                            void *bars, pby_error *err)
{
    struct chunk *chunk = malloc(sizeof *chunk);
    size_t n = 1;
    pby_status status = chunk == NULL ? pby_no_memory(err) : PBY_OK;
    for (bool first = true; status == PBY_OK && n > 0; first = false) {
        status = pby_csv_next_chunk(csv, chunk->counts, CHUNK, &n, err);
        if (status == PBY_OK && first)
            status = copy_head(out, u, csv, err);
        if (status == PBY_OK)
            status = way->take(out, u, csv, chunk, n, bars, err);
    }
    if (status == PBY_OK)
        status = way->end(out, u, bars, err);
    if (chunk != NULL)
        sodium_memzero(chunk, sizeof *chunk);
    free(chunk);
    return status;
}

static pby_status read_into(pby_csv **out, const struct reading *way, const pby_universe *u, pby_csv *csv,
                            const char *name, pby_error *err)
{
    const size_t n = pby_names_count(pby_universe_bars(u));
    uint64_t rows;
    pby_entries *entries = NULL;
    void *bars = calloc(n + 1, way->kept);
    *out = NULL;
    pby_csv_allow_empty(csv);
    pby_status status = bars == NULL ? pby_no_memory(err) : pby_csv_scan(csv, &rows, err);
    if (status == PBY_OK)
        status = pby_entries_new(&entries, name, err);
    if (status == PBY_OK)
        status = read_rows(entries, way, u, csv, bars, err);
    if (bars != NULL)
        sodium_memzero(bars, n * way->kept);
    free(bars);
    if (status == PBY_OK)
        return pby_csv_of_entries(out, entries, err);
    pby_entries_free(entries);
    return status;
}

/* ---- counting --------------------------------------------------------------------------------- */

static pby_status count_chunk(pby_entries *out, const pby_universe *u, const pby_csv *csv,
                              struct chunk *chunk, size_t n, void *bars, pby_error *err)
{
    (void)out;
    for (size_t i = 0; i < n; i++) {
        size_t size;
        const uint8_t *name = pby_csv_key(csv, i, u->scratch, &size);
        chunk->bar[i] = pby_universe_bar(u, name, size);
    }
    if (pby_gather(bars, pby_names_count(pby_universe_bars(u)), chunk->bar, chunk->counts, n) < n)
        return pby_fail_by(err, PBY_BAD, PBY_REASON_INPUT,
                           "%s: expected counts of a group that add up to 9223372036854775807 or less",
                           u->option);
    return PBY_OK;
}

static pby_status add_bars(pby_entries *out, const pby_universe *u, const void *bars, pby_error *err)
{
    const int64_t *counts = bars;
    pby_status status = PBY_OK;
    for (size_t i = 0; i < pby_names_count(pby_universe_bars(u)) && status == PBY_OK; i++) {
        size_t size;
        const uint8_t *name = pby_names_get(pby_universe_bars(u), i, &size);
        status = pby_entries_append(out, name, size, counts[i], err);
    }
    return status;
}

pby_status pby_universe_count(pby_csv **out, const pby_universe *u, pby_csv *csv, const char *name,
                              pby_error *err)
{
    static const struct reading counting = {sizeof(int64_t), count_chunk, add_bars};
    return read_into(out, &counting, u, csv, name, err);
}

/* ---- adding what is missing ------------------------------------------------------------------- */

void pby_universe_marks(bool *has, const pby_universe *u, const pby_csv *csv, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t size;
        const uint8_t *name = pby_csv_key(csv, i, u->scratch, &size);
        has[i] = pby_universe_bar(u, name, size) != PBY_NO_NAME;
    }
}

static pby_status copy_chunk(pby_entries *out, const pby_universe *u, const pby_csv *csv, struct chunk *chunk,
                             size_t n, void *bars, pby_error *err)
{
    bool *seen = bars;
    pby_status status = PBY_OK;
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        size_t size;
        const uint8_t *name = pby_csv_key(csv, i, u->scratch, &size);
        const size_t bar = pby_universe_bar(u, name, size);
        if (bar != PBY_NO_NAME)
            seen[bar] = true;
        status = pby_entries_append(out, name, size, chunk->counts[i], err);
    }
    return status;
}

static pby_status add_missing(pby_entries *out, const pby_universe *u, const void *bars, pby_error *err)
{
    const bool *seen = bars;
    pby_status status = PBY_OK;
    for (size_t i = 0; i < pby_names_count(pby_universe_bars(u)) && status == PBY_OK; i++) {
        size_t size;
        const uint8_t *name = pby_names_get(pby_universe_bars(u), i, &size);
        if (!seen[i])
            status = pby_entries_append(out, name, size, 0, err);
    }
    return status;
}

pby_status pby_universe_add(pby_csv **out, const pby_universe *u, pby_csv *csv, const char *name,
                            pby_error *err)
{
    static const struct reading adding = {sizeof(bool), copy_chunk, add_missing};
    return read_into(out, &adding, u, csv, name, err);
}
