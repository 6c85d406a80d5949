/* SPDX-License-Identifier: MIT */
/* One data set, one epsilon: how far the answer of each contestant lies from the truth. */
#ifndef PBY_LAB_EXPERIMENT_CONTEST_H
#define PBY_LAB_EXPERIMENT_CONTEST_H

#include "lab/experiment/setting.h"
#include "probity/experimental/entropy.h"

/* A data set with what all contestants ask about it. */
typedef struct pby_data_set {
    const pby_statistic *statistic;
    const int64_t *counts;
    size_t n, answer;
    size_t *far, *flexible; /* the distance of every answer to the truth, and to what is flexibly true */
    int64_t radius;
    int64_t *jumps;
} pby_data_set;

/* Flexible: up to a part 1/drop of the records are left out. */
PBY_CHECKED
pby_status pby_data_set_init(pby_data_set *d, const pby_statistic *s, const int64_t *counts, size_t n,
                             int64_t drop, pby_error *err);
void pby_data_set_clear(pby_data_set *d);

/* Mean errors as parts of n, and the chance of none. */
typedef struct pby_score {
    arb_t error, flexible, none;
} pby_score;

void pby_score_init(pby_score *s);
void pby_score_clear(pby_score *s);

/* Scores a contestant whose law is known: all but choosing, unless it has its cited constants. */
PBY_CHECKED
pby_status pby_contest(pby_score *score, pby_contestant who, const pby_setting *setting,
                       const pby_data_set *d, pby_error *err);

/* Scores choosing by sums over `runs` runs. Half of the bars are chosen. */
typedef struct pby_runs {
    uint64_t error, flexible, none, runs;
} pby_runs;

PBY_CHECKED
pby_status pby_contest_runs(pby_runs *sums, uint64_t runs, const pby_setting *setting, const pby_data_set *d,
                            pby_entropy *source, pby_error *err);

#endif
