/* SPDX-License-Identifier: MIT */
/* Hidden groups of a plan: those that occur in the rows, of which only such are told whose noisy number
 * of users passes a threshold.  The kept rows are held until it is known which groups pass; all else is
 * then made of the rows of these. */
#ifndef PBY_RELEASE_PLAN_HIDDEN_H
#define PBY_RELEASE_PLAN_HIDDEN_H

#include "release/plan_rows.h"
#include "release/plan_tally.h"
#include "table/key/names.h"

typedef struct pby_plan_hidden {
    pby_names *names; /* of all groups that occur, numbered; NULL where groups are public */
    size_t by;        /* fields of a name, each with its size before it */
    size_t gate;      /* the quantity that decides */
    bool more;        /* there are other quantities, and rows are held for them */
    int64_t *users;   /* of each group */
    size_t users_room;
    uint32_t *row; /* kept rows: a group, and a cell of each column */
    size_t rows, width, row_room;
    size_t passed; /* groups that passed, by the bytes of their fields */
    uint32_t *group;
} pby_plan_hidden;

PBY_CHECKED
pby_status pby_plan_hidden_begin(pby_plan_hidden *h, const pby_release_plan *plan,
                                 const pby_plan_quantities *q, size_t grouping, pby_error *err);

/* The number of a group, which is new or has come before. */
PBY_CHECKED
pby_status pby_plan_hidden_name(size_t *group, pby_plan_hidden *h, const uint8_t *key, size_t size,
                                pby_error *err);

/* A row that is kept; cell[] are those of its numbers. */
PBY_CHECKED
pby_status pby_plan_hidden_add(pby_plan_hidden *h, uint32_t group, const uint32_t *cell, bool first,
                               pby_error *err);

/* Draws the gate of a grouping, and puts the noisy users of the groups that pass, in their order, into its
 * quantity's cells; then the numbers of the grouping's other quantities, but for quantiles, into theirs. */
PBY_CHECKED
pby_status pby_plan_hidden_pass(pby_plan_cells *cells, const pby_release_plan *plan,
                                const pby_plan_quantities *q, size_t grouping, pby_error *err);

/* The rows of a group that passed, at each point of a quantile's grid. */
void pby_plan_hidden_points(int64_t *count, const pby_plan_hidden *h, const pby_plan_quantity *q,
                            size_t passed);

/* A field of the name of a group that passed. */
const uint8_t *pby_plan_hidden_field(const pby_plan_hidden *h, size_t passed, size_t field, size_t *size);

/* Wipes and frees. */
void pby_plan_hidden_clear(pby_plan_hidden *h);

#endif
