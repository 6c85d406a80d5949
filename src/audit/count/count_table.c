/* SPDX-License-Identifier: MIT */
#include "audit/count/count_table.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_FIRST = 64, BLIND_FACTOR = 4, LABEL_MOST = 80, LEVELS = 64, NEAR = 1 << 10 };

const char *const pby_side_names[PBY_SIDES] = {"left", "right"};

void pby_frequencies_init(pby_frequencies *table, bool ordered, size_t cap)
{
    *table = (pby_frequencies){.ordered = ordered, .cap = cap};
}

static void drop_cells(pby_frequencies *table)
{
    for (size_t i = 0; i < table->room; i++)
        free(table->cell[i].label);
    free(table->cell);
    table->cell = NULL;
    table->room = table->used = table->chosen = 0;
}

void pby_frequencies_clear(pby_frequencies *table)
{
    drop_cells(table);
}

void pby_frequencies_close(pby_frequencies *table)
{
    drop_cells(table);
    table->closed = true;
}

bool pby_cell_empty(const pby_tally_cell *cell)
{
    uint64_t any = 0;
    for (int side = 0; side < PBY_SIDES; side++)
        for (int stage = 0; stage < PBY_STAGES; stage++)
            any |= cell->count[side][stage];
    return any == 0;
}

int pby_cell_by_key(const void *a, const void *b)
{
    const pby_tally_cell *x = *(const pby_tally_cell *const *)a, *y = *(const pby_tally_cell *const *)b;
    return (x->key > y->key) - (x->key < y->key);
}

const pby_tally_cell **pby_frequencies_cells(size_t *count, const pby_frequencies *table,
                                             int (*order)(const void *a, const void *b))
{
    const pby_tally_cell **list = malloc((table->used + 1) * sizeof *list);
    *count = 0;
    if (list == NULL)
        return NULL;
    for (size_t i = 0; i < table->room; i++)
        if (!pby_cell_empty(&table->cell[i]))
            list[(*count)++] = &table->cell[i];
    qsort(list, *count, sizeof *list, order);
    return list;
}

uint64_t pby_cell_chosen(const pby_tally_cell *cell)
{
    uint64_t sum = 0;
    for (int side = 0; side < PBY_SIDES; side++)
        sum += cell->count[side][PBY_ORDERING] + cell->count[side][PBY_SELECTING];
    return sum;
}

/* A copy of a label for people: bytes that are not printable ASCII, a zero among them, become ?. */
static char *copy_label(const char *label, size_t length)
{
    const size_t most = length < LABEL_MOST ? length : LABEL_MOST;
    char *copy = most == 0 ? NULL : malloc(most + 1);
    if (copy == NULL)
        return NULL;
    for (size_t i = 0; i < most; i++)
        copy[i] = 0x20 <= label[i] && label[i] <= 0x7e ? label[i] : '?';
    copy[most] = '\0';
    return copy;
}

/* The highest bits of the product depend on all bits of the key: that of a small integer, a double, ends in
 * 40 zeros. */
static size_t place_of(const pby_frequencies *table, uint64_t key)
{
    return (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - __builtin_ctzll(table->room)));
}

/* The cell of a key, or the empty one where it belongs; there is always an empty one. */
static pby_tally_cell *find(const pby_frequencies *table, uint64_t key)
{
    size_t at = place_of(table, key);
    while (table->cell[at].key != key && !pby_cell_empty(&table->cell[at]))
        at = (at + 1) & (table->room - 1);
    return &table->cell[at];
}

/* Moves the counts and the label of a cell into the table. */
static void take(pby_frequencies *table, pby_tally_cell *cell)
{
    pby_tally_cell *own = find(table, cell->key);
    const bool was_empty = pby_cell_empty(own), was_chosen = pby_cell_chosen(own) != 0;
    own->key = cell->key;
    for (int side = 0; side < PBY_SIDES; side++)
        for (int stage = 0; stage < PBY_STAGES; stage++)
            own->count[side][stage] += cell->count[side][stage];
    table->used += was_empty;
    table->chosen += !was_chosen && pby_cell_chosen(own) != 0;
    if (own->label == NULL)
        own->label = cell->label;
    else
        free(cell->label);
    cell->label = NULL;
}

/* Rebuilds with so much room, every key cut by so many more bits. */
static pby_status rebuild(pby_frequencies *table, size_t room, unsigned cut, pby_error *err)
{
    pby_tally_cell *old = table->cell;
    const size_t old_room = table->room;
    pby_tally_cell *cells =
        aligned_alloc(sizeof *cells, room * sizeof *cells); /* each in one line of a cache */
    if (cells == NULL)
        return pby_no_memory(err);
    memset(cells, 0, room * sizeof *cells);
    table->cell = cells;
    table->room = room;
    table->used = table->chosen = 0;
    for (size_t i = 0; i < old_room; i++)
        if (!pby_cell_empty(&old[i])) {
            old[i].key = cut >= LEVELS ? 0 : old[i].key >> cut;
            take(table, &old[i]);
        }
    free(old);
    return PBY_OK;
}

pby_status pby_frequencies_coarsen(pby_frequencies *table, unsigned level, pby_error *err)
{
    if (table->closed || level <= table->level)
        return PBY_OK;
    const pby_status status = table->room == 0 ? PBY_OK
                                               : rebuild(table, table->room, level - table->level, err);
    if (status == PBY_OK)
        table->level = level;
    return status;
}

/* Forgets the cells that only the judging stage has reached. */
static pby_status go_blind(pby_frequencies *table, pby_error *err)
{
    table->blind = true;
    for (size_t i = 0; i < table->room; i++)
        if (pby_cell_chosen(&table->cell[i]) == 0) {
            free(table->cell[i].label);
            table->cell[i] = (pby_tally_cell){.key = 0};
        }
    return rebuild(table, table->room, 0, err);
}

static pby_status keep_within(pby_frequencies *table, pby_error *err)
{
    pby_status status = PBY_OK;
    while (status == PBY_OK && !table->closed && table->chosen > table->cap) {
        if (table->ordered && table->level < LEVELS)
            status = pby_frequencies_coarsen(table, table->level + 1, err);
        else
            pby_frequencies_close(table);
    }
    if (status == PBY_OK && !table->closed && table->used - table->chosen > BLIND_FACTOR * table->cap)
        status = go_blind(table, err);
    return status;
}

static pby_status make_room(pby_frequencies *table, pby_error *err)
{
    if (2 * (table->used + 1) < table->room)
        return PBY_OK;
    return rebuild(table, table->room == 0 ? ROOM_FIRST : 2 * table->room, 0, err);
}

void pby_frequencies_expect(const pby_frequencies *table, uint64_t key)
{
    if (table->room > NEAR && table->level < LEVELS)
        __builtin_prefetch(&table->cell[place_of(table, key >> table->level)], 1);
}

/* An empty cell has the key 0. */
bool pby_frequencies_again(pby_frequencies *table, uint64_t key, int side, int stage)
{
    key = table->level >= LEVELS ? 0 : key >> table->level;
    if (table->room == 0)
        return false;
    pby_tally_cell *cell = find(table, key);
    if (cell->key != key || (key == 0 && pby_cell_empty(cell)) ||
        (stage != PBY_JUDGING && pby_cell_chosen(cell) == 0))
        return false;
    cell->count[side][stage]++;
    return true;
}

pby_status pby_frequencies_count(pby_frequencies *table, uint64_t key, int side, int stage, const char *label,
                                 size_t length, pby_error *err)
{
    if (table->closed)
        return PBY_OK;
    if (pby_frequencies_again(table, key, side, stage))
        return PBY_OK;
    key = table->level >= LEVELS ? 0 : key >> table->level;
    pby_status status = make_room(table, err);
    if (status != PBY_OK)
        return status;
    pby_tally_cell *cell = find(table, key);
    if (!pby_cell_empty(cell)) {
        table->chosen += stage != PBY_JUDGING && pby_cell_chosen(cell) == 0;
        cell->count[side][stage]++;
    } else if (stage != PBY_JUDGING || !table->blind) {
        cell->key = key;
        cell->label = copy_label(label, length);
        cell->count[side][stage]++;
        table->used++;
        table->chosen += stage != PBY_JUDGING;
    }
    return keep_within(table, err);
}

pby_status pby_frequencies_add(pby_frequencies *table, const pby_tally_cell *cell, unsigned level,
                               pby_error *err)
{
    if (table->closed || pby_cell_empty(cell))
        return PBY_OK;
    pby_status status = make_room(table, err);
    if (status != PBY_OK)
        return status;
    pby_tally_cell copy = *cell;
    const unsigned cut = table->level - level;
    copy.key = cut >= LEVELS ? 0 : cell->key >> cut;
    copy.label = cell->label == NULL ? NULL : copy_label(cell->label, strlen(cell->label));
    take(table, &copy);
    return keep_within(table, err);
}

pby_status pby_frequencies_merge(pby_frequencies *into, const pby_frequencies *from, pby_error *err)
{
    into->blind |= from->blind;
    if (from->closed)
        pby_frequencies_close(into);
    pby_status status = pby_frequencies_coarsen(into, from->level, err);
    for (size_t i = 0; i < from->room && status == PBY_OK && !into->closed; i++)
        status = pby_frequencies_add(into, &from->cell[i], from->level, err);
    return status;
}
