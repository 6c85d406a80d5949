/* SPDX-License-Identifier: MIT */
/* The histogram that a mechanism sees, read and checked.
 *
 * It is the input's own, that of a table, or that of the bars of a public map; records may also move at
 * random (scattered.h), anew in each release. */
#ifndef PBY_RELEASE_INPUT_HISTOGRAM_H
#define PBY_RELEASE_INPUT_HISTOGRAM_H

#include "release/pipeline.h"
#include "release/scattered.h"
#include "table/csv/csv.h"
#include "table/map/universe.h"

typedef struct pby_histogram {
    pby_csv *csv;             /* what is released: one of those below, or a table's own */
    uint64_t rows;            /* of it; a secret where bars are hidden */
    pby_csv *utilities;       /* of the same rows, in their order; NULL: none decide */
    pby_universe *keep;       /* keys that are kept in any case; NULL: none */
    pby_scattered *scattered; /* csv has no record until one is drawn from here; NULL: records stay */
    pby_csv *input, *bars, *utility, *kept_utility; /* what is owned; NULL where there is none such */
    pby_digest table;                               /* of the public file that was read, if one was */
} pby_histogram;

enum { PBY_TOTAL_SIZE = sizeof "total" + PBY_LAYOUT_KEYS };

/* The key of the total: of a key of several columns the others are empty. */
const char *pby_histogram_total(char key[PBY_TOTAL_SIZE], const pby_pipeline *p);

/* True if a total stands behind the bars. */
bool pby_histogram_has_total(const pby_release *release);

/* True if suppressed bars must leave no trace. */
bool pby_histogram_hides(const pby_release *release);

/* Reads the input and checks all that can be refused. h is zero before, and is for pby_histogram_clear
 * whether this succeeds or not. */
PBY_CHECKED
pby_status pby_histogram_open(pby_histogram *h, const pby_pipeline *p, const pby_release *release,
                              pby_error *err);

/* Reads the rows once more, from the first on. */
void pby_histogram_again(pby_histogram *h);

/* Moves the records of a scattered histogram. It draws, so the budget has been charged. */
PBY_CHECKED
pby_status pby_histogram_move(pby_histogram *h, const pby_pipeline *p, pby_release *release, pby_error *err);

/* Tells a receipt how it was read. */
void pby_histogram_learn(pby_learned *out, const pby_histogram *h, const pby_pipeline *p,
                         const pby_release *release);

/* Wipes and frees what h owns. */
void pby_histogram_clear(pby_histogram *h);

#endif
