/* SPDX-License-Identifier: MIT */
/* The errors of a panel: a row for each contestant and epsilon. */
#ifndef PBY_LAB_EXPERIMENT_FIGURE_H
#define PBY_LAB_EXPERIMENT_FIGURE_H

#include <stdio.h>

#include "lab/experiment/contest.h"
#include "lab/experiment/panel.h"

enum { PBY_FIGURE_EPSILONS = 8 };
extern const char *const pby_figure_eps[PBY_FIGURE_EPSILONS];

/* In hundredths of the range, rounded outwards; of choosing an interval that holds the mean but for one in a
 * million. */
typedef struct pby_figure_cell {
    double error[2], flexible[2], none[2];
    double mean[2]; /* for the eye: the middle of error and flexible; of choosing the mean of its runs */
    char setting[PBY_SETTING_TEXT];
} pby_figure_cell;

typedef struct pby_figure_panel {
    unsigned number;
    pby_tuning tuning;
    pby_figure_cell cell[PBY_CONTESTANTS][PBY_FIGURE_EPSILONS];
    int64_t typical[PBY_PANEL_BARS]; /* the first data set */
} pby_figure_panel;

/* Runs of choosing for each data set and epsilon; and flexible answers may drop a part 1/200. */
enum { PBY_FIGURE_RUNS = 100, PBY_FIGURE_DROP = 200 };

typedef struct pby_figure_watch {
    void (*at)(void *what, uint64_t done, uint64_t total);
    void *what;
    uint64_t done, total;
} pby_figure_watch;

/* settings[i] is that of the i-th epsilon, for the bars of the panel. */
PBY_CHECKED
pby_status pby_figure_panel_run(pby_figure_panel *out, unsigned number, const pby_setting *settings,
                                unsigned sets, const uint8_t seed[PBY_SEED_SIZE], const pby_panel_cuts *cuts,
                                pby_figure_watch *watch, pby_error *err);

/* The plot of a panel: errors against epsilon, flexible ones dashed, and the first data set. */
void pby_figure_plot(FILE *out, const pby_figure_panel *panel);

#endif
