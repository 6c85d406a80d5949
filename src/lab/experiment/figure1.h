/* SPDX-License-Identifier: MIT */
/* The thresholds of [Thresh] Figure 1, at sensitivity 1.
 *
 * Theorem 5 asks for 1 + (1+gamma) ln(1/delta)/epsilon. Beside it stand the least T that the exact law allows
 * for the same noise, of rate w = epsilon/(1+gamma): at epsilon >= w delta is g_1 = exp(-w (T-1))/(1+exp(-w))
 * (docs/theory/threshold.md), so T is the ceiling of 1 + (ln(1/delta) - ln(1+exp(-w)))/w; that of noise of
 * the rate epsilon itself; and the least count that any mechanism shows with a chance of 1/2. */
#ifndef PBY_LAB_EXPERIMENT_FIGURE1_H
#define PBY_LAB_EXPERIMENT_FIGURE1_H

#include <stdint.h>
#include <stdio.h>

#include "probity/enclosure.h"

/* delta = 10^-4 .. 10^-19 */
enum { PBY_FIGURE1_EPSILONS = 3, PBY_FIGURE1_GAMMAS = 3, PBY_FIGURE1_FIRST = 4, PBY_FIGURE1_DELTAS = 16 };
extern const char *const pby_figure1_eps[PBY_FIGURE1_EPSILONS];
extern const char *const pby_figure1_gamma[PBY_FIGURE1_GAMMAS];

/* One epsilon and one delta. */
typedef struct pby_figure1_cell {
    pby_enclosure theorem[PBY_FIGURE1_GAMMAS]; /* of each gamma */
    uint64_t exact[PBY_FIGURE1_GAMMAS];        /* at the same noise */
    uint64_t least, any;                       /* at gamma = 0; and by any mechanism */
} pby_figure1_cell;

typedef struct pby_figure1 {
    pby_figure1_cell cell[PBY_FIGURE1_EPSILONS][PBY_FIGURE1_DELTAS];
} pby_figure1;

/* The plot: a part for each epsilon. */
void pby_figure1_plot(FILE *out, const pby_figure1 *f);

#endif
