/* SPDX-License-Identifier: MIT */
#include "table/records/groups.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "table/key/key_kind.h"
#include "table/row/csv_row.h"

enum { SCRATCH = 2 * PBY_ROW_KEY_MAX };

void pby_groups_clear(pby_groups *g)
{
    for (size_t i = 0; i < g->by.count; i++) {
        for (uint64_t k = 0; g->cell[i] != NULL && k < g->grid[i].cells; k++)
            free(g->cell[i][k]);
        free(g->cell[i]);
        if (g->in_cells[i])
            pby_number_cells_clear(&g->grid[i]);
    }
    pby_key_names_clear(&g->by);
    pby_universe_free(g->map);
    pby_names_free(g->names);
    pby_key_row_clear(&g->key);
    if (g->scratch != NULL)
        sodium_memzero(g->scratch, SCRATCH);
    free(g->scratch);
}

bool pby_groups_public(const pby_groups *g)
{
    return g->map != NULL || g->cells_alone;
}

const pby_names *pby_groups_names(const pby_groups *g)
{
    return g->map != NULL ? pby_universe_bars(g->map) : g->names;
}

/* ---- cells -------------------------------------------------------------------------------------- */

static pby_status name_cells(pby_groups *g, size_t i, pby_error *err)
{
    g->cell[i] = calloc(g->grid[i].cells, sizeof *g->cell[i]);
    if (g->cell[i] == NULL)
        return pby_no_memory(err);
    for (uint64_t k = 0; k < g->grid[i].cells; k++)
        if ((g->cell[i][k] = pby_number_cells_text(&g->grid[i], k)) == NULL)
            return pby_no_memory(err);
    return PBY_OK;
}

static pby_status read_columns(pby_groups *g, const char *by, const pby_arguments *names, pby_error *err)
{
    if (by == NULL) {
        g->cells_alone = true;
        return PBY_OK;
    }
    pby_status status = pby_key_names_parse(&g->by, pby_argument_name(names, PBY_ARG_BY), by, err);
    g->cells_alone = true;
    for (size_t i = 0; i < g->by.count && status == PBY_OK; i++) {
        status = pby_number_cells_parse(&g->grid[i], &g->in_cells[i], g->by.name[i],
                                        pby_argument_name(names, PBY_ARG_BY), err);
        if (status == PBY_OK && g->in_cells[i])
            status = name_cells(g, i, err);
        g->cells_alone = g->cells_alone && g->in_cells[i];
    }
    return status;
}

/* ---- the key of a group ------------------------------------------------------------------------- */

/* The key of fields; of several columns a row of them. */
struct part {
    const uint8_t *bytes;
    size_t size;
};

static pby_status join(pby_groups *g, const struct part *part, struct part *key, pby_error *err)
{
    pby_status status = PBY_OK;
    *key = part[0];
    if (g->by.count == 1)
        return PBY_OK;
    pby_key_row_begin(&g->key);
    for (size_t i = 0; i < g->by.count && status == PBY_OK; i++)
        status = pby_key_row_add(&g->key, part[i].bytes, part[i].size, err);
    *key = (struct part){g->key.bytes, g->key.size};
    return status;
}

static struct part cell_part(const pby_groups *g, size_t i, uint64_t k)
{
    const char *name = g->cell[i][k];
    return (struct part){(const uint8_t *)name, strlen(name)};
}

/* Every combination of cells, the last column's running fastest. */
static pby_status add_cells(pby_groups *g, const char *by, const pby_arguments *names, pby_error *err)
{
    uint64_t all = 1;
    size_t whole;
    pby_status status = PBY_OK;
    if (by == NULL)
        return pby_names_add(g->names, (const uint8_t *)"all", strlen("all"), &whole, err);
    for (size_t i = 0; i < g->by.count; i++) {
        all *= g->grid[i].cells;
        if (all > PBY_NUMBER_CELLS_MAX)
            return pby_refuse(err, pby_argument_name(names, PBY_ARG_BY), by,
                              "at most 1048576 buckets of all columns together");
    }
    for (uint64_t n = 0; n < all && status == PBY_OK; n++) {
        struct part part[PBY_LAYOUT_KEYS], key;
        size_t number;
        uint64_t rest = n;
        for (size_t i = g->by.count; i-- > 0; rest /= g->grid[i].cells)
            part[i] = cell_part(g, i, rest % g->grid[i].cells);
        status = join(g, part, &key, err);
        if (status == PBY_OK)
            status = pby_names_add(g->names, key.bytes, key.size, &number, err);
    }
    return status;
}

pby_status pby_groups_find(pby_groups *g, const pby_raw *row, size_t *group, pby_error *err)
{
    struct part part[PBY_LAYOUT_KEYS], key;
    uint64_t number = 0, k = 0;
    size_t used = 0;
    for (size_t i = 0; i < g->by.count; i++) {
        part[i].bytes = pby_csv_row_key(&row->field[i], g->scratch + used, &part[i].size);
        if (g->in_cells[i]) {
            if (!pby_number_cells_find(&g->grid[i], &k, part[i].bytes, part[i].size))
                return pby_raw_refuse(row, i, pby_key_kinds_expected, err);
            part[i] = cell_part(g, i, k);
            number = number * g->grid[i].cells + k;
        } else if (row->field[i].escapes > 0)
            used += part[i].size;
        if (used > PBY_ROW_KEY_MAX)
            return pby_raw_refuse(row, i, "columns of a group of at most 1048576 bytes", err);
    }
    *group = (size_t)number;
    if (g->cells_alone)
        return PBY_OK;
    const pby_status status = join(g, part, &key, err);
    if (status != PBY_OK)
        return status;
    if (key.size > PBY_ROW_KEY_MAX)
        return pby_raw_refuse(row, 0, "columns of a group of at most 1048576 bytes", err);
    if (g->map == NULL)
        return pby_names_add(g->names, key.bytes, key.size, group, err);
    *group = pby_universe_bar(g->map, key.bytes, key.size);
    return PBY_OK;
}

/* ---- making ------------------------------------------------------------------------------------- */

static pby_status read_map(pby_groups *g, const pby_map *map, const char *data, const pby_arguments *names,
                           pby_error *err)
{
    g->cells_alone = false;
    g->grouped = map->path == NULL ? map->groups != NULL : map->grouped;
    if (map->path == NULL)
        return pby_universe_of(&g->map, map->keys, map->groups, map->count,
                               pby_argument_name(names, PBY_ARG_FILTER), err);
    return pby_universe_read_rows(&g->map, map->path, map->grouped, g->by.count,
                                  map->grouped ? pby_argument_name(names, PBY_ARG_GROUP)
                                               : pby_argument_name(names, PBY_ARG_FILTER),
                                  data, err);
}

pby_status pby_groups_make(pby_groups *g, const char *by, const pby_map *map, const char *data,
                           const pby_arguments *names, pby_error *err)
{
    *g = (pby_groups){.scratch = malloc(SCRATCH)};
    pby_status status = g->scratch == NULL ? pby_no_memory(err) : read_columns(g, by, names, err);
    if (status == PBY_OK && map != NULL)
        return read_map(g, map, data, names, err);
    if (status == PBY_OK)
        status = pby_names_new(&g->names, err);
    return status == PBY_OK && g->cells_alone ? add_cells(g, by, names, err) : status;
}
