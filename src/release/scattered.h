/* SPDX-License-Identifier: MIT */
/* A histogram whose records move at random, by a public table (table/map/table_scatter.h).
 *
 * Its counts are read once, under the keys of the table; records of other keys are left out. Every draw moves
 * each record by itself, and is the histogram of the new keys, all of them, in the table's order. */
#ifndef PBY_RELEASE_SCATTERED_H
#define PBY_RELEASE_SCATTERED_H

#include "probity/release.h"
#include "table/csv/csv.h"
#include "table/map/table_scatter.h"

typedef struct pby_scattered pby_scattered;

/* csv is just opened, and checked in full here. The table must outlive what is made. Refused: more than
 * PBY_THINNED_MAX records. name is what an error calls the histogram of the new keys. */
PBY_CHECKED
pby_status pby_scattered_new(pby_scattered **out, const pby_scatter *table, pby_csv *csv, const char *name,
                             pby_error *err);

/* The histogram of the new keys without a record: what can be refused of any draw is refused of it. */
PBY_CHECKED
pby_status pby_scattered_bars(pby_csv **out, const pby_scattered *s, pby_error *err);

/* One draw. */
PBY_CHECKED
pby_status pby_scattered_draw(pby_csv **out, const pby_scattered *s, pby_release *release, pby_error *err);

/* Wipes and frees. NULL is allowed. */
void pby_scattered_free(pby_scattered *s);

#endif
