/* SPDX-License-Identifier: MIT */
/* Distances of one histogram or law from another, both in CSV of KEY,MASS (measure.h). */
#ifndef PBY_TABLE_MEASURE_MEASURE_PAIRS_H
#define PBY_TABLE_MEASURE_MEASURE_PAIRS_H

#include <stdbool.h>

#include "probity/experimental/accuracy.h"
#include "table/measure/measure.h"

/* Longer than any reason. */
enum { PBY_BETWEEN_REASON = 160 };

typedef struct pby_between {
    mpq_t gamma, eta;                /* what is asked at: the mass that need not move, the price of a move */
    bool asks_average, asks_eta;     /* the average too, and what a move costs */
    mpq_t lossy, variation, average; /* of the laws */
    pby_distance drop, move, drop_move;                               /* of the histograms */
    char no_law[PBY_BETWEEN_REASON], no_distance[PBY_BETWEEN_REASON]; /* why some answers are none; empty when
                                                                       * they are not */
    pby_measures of;
} pby_between;

void pby_between_init(pby_between *m);
void pby_between_clear(pby_between *m);

/* Reads two files and answers; path "-" is standard input. What is asked is set before. */
PBY_CHECKED
pby_status pby_between_measure(pby_between *m, const char *const path[2], pby_error *err);

/* True if both are in proportion to a law; true if keys have a distance. */
bool pby_between_laws(const pby_between *m);
bool pby_between_distance(const pby_between *m);

#endif
