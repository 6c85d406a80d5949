/* SPDX-License-Identifier: MIT */
#include "table/table.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "io/source.h"
#include "number/exact.h"
#include "table/map/arguments.h"
#include "table/map/columns.h"
#include "table/map/universe.h"
#include "table/store/entries.h"

enum { FIRST_ROOM = 1 << 12 };

/* ---- making and freeing ------------------------------------------------------------------------- */

void pby_table_free(pby_table *t)
{
    if (t == NULL)
        return;
    pby_csv_free(t->csv);
    pby_records_free(t->records);
    pby_store_free(t->store);
    free(t->user);
    if (t->counts != NULL)
        sodium_memzero(t->counts, PBY_TABLE_CHUNK * sizeof *t->counts);
    free(t->counts);
    if (t->scratch != NULL)
        sodium_memzero(t->scratch, PBY_ROW_KEY_MAX);
    free(t->scratch);
    if (t->key != NULL)
        sodium_memzero(t->key, t->key_room);
    free(t->key);
    free(t->header);
    free(t->unit);
    free(t->path);
    free(t);
}

static pby_status table_new(pby_table **out, pby_error *err)
{
    pby_table *t = *out = calloc(1, sizeof *t);
    if (t == NULL)
        return pby_no_memory(err);
    t->key = calloc(1, FIRST_ROOM);
    t->key_room = FIRST_ROOM;
    return t->key == NULL ? pby_no_memory(err) : PBY_OK;
}

/* Frees a table that could not be made and sets *out to NULL. */
static pby_status settle(pby_table **out, pby_status status)
{
    if (status != PBY_OK) {
        pby_table_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- CSV ---------------------------------------------------------------------------------------- */

static bool chooses(const pby_csv_options *options)
{
    return options != NULL && (options->keys != NULL || options->counts != NULL);
}

static const char *name_of(const pby_csv_options *options)
{
    return options == NULL || options->name == NULL ? "the input" : options->name;
}

/* The two columns of an input, which is read here and let go. */
static pby_status choose_columns(pby_csv **out, pby_csv_input *in, const pby_columns_choice *choice,
                                 pby_error *err)
{
    char *text;
    size_t size;
    pby_csv_input_once(in);
    pby_status status = pby_csv_input_whole(&text, &size, in, err);
    if (status == PBY_OK)
        status = pby_columns_parse(out, pby_csv_input_name(in), text, size, choice, err);
    if (text != NULL)
        sodium_memzero(text, size);
    free(text);
    return status;
}

/* Takes over the input. */
static pby_status open_input(pby_table *t, pby_csv_input *in, const pby_csv_options *options, pby_error *err)
{
    if (!chooses(options))
        return pby_csv_of(&t->csv, in, err);
    char *key = options->keys == NULL ? NULL : strdup(options->keys);
    if (options->keys != NULL && key == NULL) {
        pby_csv_input_free(in);
        return pby_no_memory(err);
    }
    const pby_key_names keys = {.text = key, .count = 1, .name = {key}};
    const pby_columns_choice choice = {key == NULL ? NULL : &keys, options->counts, &pby_arguments_library,
                                       NULL, PBY_ARG_COUNTS};
    const pby_status status = choose_columns(&t->csv, in, &choice, err);
    free(key);
    pby_csv_input_free(in);
    return status;
}

pby_status pby_table_csv(pby_table **out, const char *path, const pby_csv_options *options, pby_error *err)
{
    pby_csv_input *in;
    pby_status status = table_new(out, err);
    if (status == PBY_OK && ((*out)->path = strdup(path)) == NULL)
        status = pby_no_memory(err);
    if (status == PBY_OK)
        status = pby_csv_input_open(&in, path, err);
    if (status == PBY_OK)
        status = open_input(*out, in, options, err);
    return settle(out, status);
}

pby_status pby_table_csv_descriptor(pby_table **out, int fd, const pby_csv_options *options, pby_error *err)
{
    pby_csv_input *in;
    pby_status status = table_new(out, err);
    if (status == PBY_OK)
        status = pby_csv_input_descriptor(&in, name_of(options), fd, err);
    if (status == PBY_OK)
        status = open_input(*out, in, options, err);
    return settle(out, status);
}

pby_status pby_table_csv_callback(pby_table **out, pby_table_read *read, void *what,
                                  const pby_csv_options *options, pby_error *err)
{
    pby_csv_input *in;
    pby_status status = table_new(out, err);
    if (status == PBY_OK)
        status = pby_csv_input_callback(&in, name_of(options), read, what, err);
    if (status == PBY_OK)
        status = open_input(*out, in, options, err);
    return settle(out, status);
}

/* ---- memory ------------------------------------------------------------------------------------- */

/* A key or count that is none is refused by its row: a key may hold line ends, so that lines tell less. */
static pby_status add_rows(pby_entries *entries, const char *const *keys, const int64_t *counts, size_t n,
                           pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        const uint8_t *key = (const uint8_t *)keys[i];
        const size_t size = strlen(keys[i]);
        const char *expected = pby_csv_row_key_expected(key, size);
        if (expected != NULL || counts[i] < 0)
            return pby_fail_by(err, PBY_BAD, PBY_REASON_INPUT, "%s: row %zu: expected %s",
                               expected != NULL ? "keys" : "counts", i + 1,
                               expected != NULL ? expected : "a count from 0 on");
        status = pby_entries_append(entries, key, size, counts[i], err);
    }
    return status;
}

pby_status pby_table_of_entries(pby_table **out, pby_entries *entries, pby_error *err)
{
    pby_status status = table_new(out, err);
    if (status == PBY_OK)
        status = pby_csv_of_entries(&(*out)->csv, entries, err);
    else
        pby_entries_free(entries);
    return settle(out, status);
}

pby_status pby_table_of(pby_table **out, const char *const *keys, const int64_t *counts, size_t n,
                        pby_error *err)
{
    pby_entries *entries;
    *out = NULL;
    pby_status status = pby_entries_new(&entries, "the table", err);
    if (status == PBY_OK)
        status = add_rows(entries, keys, counts, n, err);
    if (status == PBY_OK)
        status = pby_table_of_entries(out, entries, err);
    else
        pby_entries_free(entries);
    if (status == PBY_OK)
        status = pby_table_scan(*out, err);
    if (status == PBY_OK)
        status = pby_csv_restart((*out)->csv, err);
    return settle(out, status);
}

/* ---- raw records -------------------------------------------------------------------------------- */

static pby_status copy_unit(pby_table *t, const char *user, uint64_t contributions, pby_error *err)
{
    t->contributions = contributions;
    t->user = user == NULL ? NULL : strdup(user);
    return user != NULL && t->user == NULL ? pby_no_memory(err) : PBY_OK;
}

pby_status pby_table_records_of(pby_table **out, pby_csv_input *in, const char *path,
                                const pby_records_options *options, const pby_arguments *names,
                                pby_error *err)
{
    pby_status status = table_new(out, err);
    if (status == PBY_OK && path != NULL && ((*out)->path = strdup(path)) == NULL)
        status = pby_no_memory(err);
    if (status == PBY_OK)
        status = pby_records_new(&(*out)->records, in, options, path == NULL ? "" : path, names, err);
    else
        pby_csv_input_free(in);
    if (status == PBY_OK) {
        (*out)->mapped = pby_groups_public(&(*out)->records->groups);
        (*out)->grouped = (*out)->records->groups.grouped;
        status = copy_unit(*out, options->user, (*out)->records->contributions, err);
    }
    return settle(out, status);
}

pby_status pby_table_records(pby_table **out, const char *path, const pby_records_options *options,
                             pby_error *err)
{
    pby_csv_input *in;
    *out = NULL;
    const pby_status status = pby_csv_input_open(&in, path, err);
    return status == PBY_OK ? pby_table_records_of(out, in, path, options, &pby_arguments_library, err)
                            : status;
}

static const char *records_name(const pby_records_options *options)
{
    return options->name == NULL ? "the input" : options->name;
}

pby_status pby_table_records_descriptor(pby_table **out, int fd, const pby_records_options *options,
                                        pby_error *err)
{
    pby_csv_input *in;
    *out = NULL;
    const pby_status status = pby_csv_input_descriptor(&in, records_name(options), fd, err);
    return status == PBY_OK ? pby_table_records_of(out, in, NULL, options, &pby_arguments_library, err)
                            : status;
}

pby_status pby_table_records_callback(pby_table **out, pby_table_read *read, void *what,
                                      const pby_records_options *options, pby_error *err)
{
    pby_csv_input *in;
    *out = NULL;
    const pby_status status = pby_csv_input_callback(&in, records_name(options), read, what, err);
    return status == PBY_OK ? pby_table_records_of(out, in, NULL, options, &pby_arguments_library, err)
                            : status;
}

size_t pby_table_key_columns(const pby_table *t)
{
    if (t->store != NULL)
        return pby_store_keys(t->store);
    return t->records == NULL || t->records->groups.grouped || t->records->groups.by.count == 0
               ? 1
               : t->records->groups.by.count;
}

const pby_digest *pby_table_map_digest(const pby_table *t)
{
    return t->records == NULL || t->records->groups.map == NULL ? NULL
                                                                : pby_universe_digest(t->records->groups.map);
}

const char *pby_table_user(const pby_table *t)
{
    return t->user;
}

uint64_t pby_table_contributions(const pby_table *t)
{
    return t->contributions;
}

/* ---- maps --------------------------------------------------------------------------------------- */

static pby_status read_map(pby_universe **out, const pby_table *table, const pby_map *map, pby_error *err)
{
    const char *name = pby_argument_name(&pby_arguments_library, PBY_ARG_GROUP);
    if (map->path == NULL)
        return pby_universe_of(out, map->keys, map->groups, map->count, name, err);
    return pby_universe_read(out, map->path, map->grouped, name, table->path == NULL ? "" : table->path, err);
}

pby_status pby_table_map(pby_table **out, pby_table *table, const pby_map *map, pby_error *err)
{
    pby_csv *csv;
    pby_universe *universe = NULL;
    pby_status status = table_new(out, err);
    if (status == PBY_OK)
        status = pby_table_histogram(table, &csv, err);
    if (status == PBY_OK)
        status = read_map(&universe, table, map, err);
    if (status == PBY_OK)
        status = pby_universe_count(&(*out)->csv, universe, csv, "the rows of the map", err);
    pby_universe_free(universe);
    if (status == PBY_OK) {
        (*out)->mapped = true;
        (*out)->grouped = table->grouped || (map->path == NULL ? map->groups != NULL : map->grouped);
        status = copy_unit(*out, table->user, table->contributions, err);
    }
    return settle(out, status);
}

/* ---- for the folders below ---------------------------------------------------------------------- */

pby_status pby_table_released(pby_table **out, pby_store *store, pby_error *err)
{
    pby_status status = table_new(out, err);
    if (*out != NULL)
        (*out)->store = store;
    else
        pby_store_free(store);
    if (status == PBY_OK && pby_store_unit(store) != NULL &&
        ((*out)->unit = pby_exact_text(pby_store_unit(store))) == NULL)
        status = pby_no_memory(err);
    return settle(out, status);
}

pby_status pby_table_histogram(pby_table *t, pby_csv **csv, pby_error *err)
{
    *csv = NULL;
    if (t->store != NULL)
        return pby_fail(err, PBY_BAD, "table: expected keys and counts, not what was released of them");
    const pby_status status = pby_table_rewind(t, err);
    *csv = t->csv;
    return status;
}

pby_status pby_table_lines(pby_table *t, pby_csv_input **in, pby_error *err)
{
    pby_csv *csv;
    *in = NULL;
    const pby_status status = pby_table_histogram(t, &csv, err);
    if (status == PBY_OK)
        *in = pby_csv_source(csv);
    return status == PBY_OK && *in == NULL
               ? pby_fail(err, PBY_BAD, "table: expected CSV as it stands, which holds points or answers")
               : status;
}

bool pby_table_mapped(const pby_table *t)
{
    return t->mapped;
}

bool pby_table_grouped(const pby_table *t)
{
    return t->grouped;
}
