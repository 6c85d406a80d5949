/* SPDX-License-Identifier: MIT */
/* Counts of cells, in bounded memory.
 *
 * Each cell is counted by side (left, right) and by stage of the sample: one to order the cells and one
 * to select the event, which together are the choosing stage, and the judging stage.
 *
 * When the choosing stage has reached more cells than the cap, an ordered table drops low bits of its
 * keys until they fit, and any other closes. Both follow from the choosing stage alone, and they do not
 * depend on the order in which outputs came: counting in pieces and merging gives the same table.
 * Cells that only the judging stage has reached are kept up to a multiple of the cap; beyond it the
 * table is blind, and an event chosen from it shows nothing.
 */
#ifndef PBY_AUDIT_COUNT_COUNT_TABLE_H
#define PBY_AUDIT_COUNT_COUNT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { PBY_SIDES = 2, PBY_STAGES = 3, PBY_ORDERING = 0, PBY_SELECTING = 1, PBY_JUDGING = 2 };

/* "left" and "right", by pby_side. */
extern const char *const pby_side_names[PBY_SIDES];

typedef struct pby_tally_cell {
    uint64_t key;
    uint64_t count[PBY_SIDES][PBY_STAGES];
    char *label; /* what it is, where the key does not say; may be NULL */
} pby_tally_cell;

typedef struct pby_frequencies {
    pby_tally_cell *cell; /* a hash table: room of them, those without counts are empty */
    size_t room, used;
    size_t chosen; /* cells that the choosing stage has reached */
    size_t cap;
    unsigned level; /* low bits dropped from the keys */
    bool ordered, closed, blind;
} pby_frequencies;

void pby_frequencies_init(pby_frequencies *table, bool ordered, size_t cap);
void pby_frequencies_clear(pby_frequencies *table);

/* Says that a key will be counted soon: its cell is brought near, so that several can be waited for at once.
 */
void pby_frequencies_expect(const pby_frequencies *table, uint64_t key);

/* The fast path of most outputs: counts one more in a cell that already has outputs of that kind. Returns
 * false, and counts nothing, where pby_frequencies_count has more to do. */
bool pby_frequencies_again(pby_frequencies *table, uint64_t key, int side, int stage);

/* Counts it in the cell of a key of level 0. The label is copied when the cell is new; length 0 is no
 * label. */
pby_status pby_frequencies_count(pby_frequencies *table, uint64_t key, int side, int stage, const char *label,
                                 size_t length, pby_error *err);

/* Adds counts to the cell of a key of some level not above the table's. */
pby_status pby_frequencies_add(pby_frequencies *table, const pby_tally_cell *cell, unsigned level,
                               pby_error *err);

/* Drops low bits up to a level. */
pby_status pby_frequencies_coarsen(pby_frequencies *table, unsigned level, pby_error *err);

/* Adds the counts of another table of the same feature. */
pby_status pby_frequencies_merge(pby_frequencies *into, const pby_frequencies *from, pby_error *err);

/* Gives up its cells. */
void pby_frequencies_close(pby_frequencies *table);

bool pby_cell_empty(const pby_tally_cell *cell);

/* The cells that are not empty, *count of them, in an order of pointers as qsort(3) takes it; free the list
 * with free(3). NULL when there is no memory. */
const pby_tally_cell **pby_frequencies_cells(size_t *count, const pby_frequencies *table,
                                             int (*order)(const void *a, const void *b));

/* An order: keys ascending, and so the same for equal tables. */
int pby_cell_by_key(const void *a, const void *b);

/* The outputs of the choosing stage in the cell, of both sides. */
uint64_t pby_cell_chosen(const pby_tally_cell *cell);

#endif
