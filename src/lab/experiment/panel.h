/* SPDX-License-Identifier: MIT */
/* The six panels of the experiment: what is asked, and the data, which a seed decides. */
#ifndef PBY_LAB_EXPERIMENT_PANEL_H
#define PBY_LAB_EXPERIMENT_PANEL_H

#include "base/status.h"
#include "probity/experimental/entropy.h"
#include "probity/experimental/statistic.h"

enum { PBY_PANELS = 6, PBY_PANEL_BARS = 300 };

typedef struct pby_panel {
    const char *title;
    pby_statistic statistic;
    size_t bars;
} pby_panel;

/* i from 1 to PBY_PANELS. */
const pby_panel *pby_panel_at(unsigned i);

/* The chances that the data are drawn by, as cuts of random words. */
typedef struct pby_panel_cuts {
    uint64_t
        cauchy[101]; /* below the first: dropped; between i and i + 1: bar i + 1; from the last: dropped */
    uint64_t poisson[512]; /* a count is the number of cuts that are not above the word */
} pby_panel_cuts;

void pby_panel_cuts_init(pby_panel_cuts *cuts);

/* counts[0 .. bars-1] of one data set of panel i. */
PBY_CHECKED
pby_status pby_panel_draw(int64_t *counts, unsigned i, const pby_panel_cuts *cuts, pby_entropy *source,
                          pby_error *err);

/* The stream of one data set, out of the seed: its key is the SHA-256 of the seed, the panel, the set and the
 * use, each of the three in 4 bytes, the lowest first. Use 0 is the data, and 1 + j the runs at the j-th
 * epsilon. */
PBY_CHECKED
pby_status pby_panel_stream(pby_entropy **out, const uint8_t seed[PBY_SEED_SIZE], unsigned panel,
                            unsigned set, unsigned use, pby_error *err);

#endif
