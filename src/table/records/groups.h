/* SPDX-License-Identifier: MIT */
/* The group of a record: the columns that name it, some of them in buckets, and the public list of groups. */
#ifndef PBY_TABLE_RECORDS_GROUPS_H
#define PBY_TABLE_RECORDS_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/digest.h"
#include "probity/table.h"
#include "table/key/key_names.h"
#include "table/key/names.h"
#include "table/map/arguments.h"
#include "table/map/universe.h"
#include "table/records/number_cells.h"
#include "table/records/reader.h"
#include "table/store/key_row.h"

typedef struct pby_groups {
    pby_key_names by; /* without their bounds */
    bool in_cells[PBY_LAYOUT_KEYS];
    pby_number_cells grid[PBY_LAYOUT_KEYS]; /* of those that are in cells */
    char **cell[PBY_LAYOUT_KEYS];           /* their cells' names */
    pby_universe *map;                      /* NULL: none */
    pby_names *names;                       /* without a map: all cells, or the groups that occur */
    bool grouped;                           /* the map has groups: a key is then the name of one */
    bool cells_alone;                       /* no map, and every column is in cells */
    pby_key_row key;                        /* of several columns */
    uint8_t *scratch;
} pby_groups;

/* Reads the map. data is the path of the data, NULL for standard input. To be cleared whether this succeeds
 * or not. */
PBY_CHECKED
pby_status pby_groups_make(pby_groups *groups, const char *by, const pby_map *map, const char *data,
                           const pby_arguments *names, pby_error *err);
void pby_groups_clear(pby_groups *groups);

/* True if the groups are known without the data. */
bool pby_groups_public(const pby_groups *groups);

/* The groups; those that occur grow in number as records come. */
const pby_names *pby_groups_names(const pby_groups *groups);

/* The group of a row, whose first fields that are wanted are the columns; PBY_NO_NAME where it is left out. A
 * field in cells that is no number is refused. */
PBY_CHECKED
pby_status pby_groups_find(pby_groups *groups, const pby_raw *row, size_t *group, pby_error *err);

#endif
