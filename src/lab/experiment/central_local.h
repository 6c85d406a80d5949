/* SPDX-License-Identifier: MIT */
/* [Survey] section 7.2: the mean of n bits by geometric noise on their number, which a curator adds, and by
 * randomised response of each user, both epsilon-private.
 *
 * With a = exp(-epsilon) the noise has the variance 2 a/(1-a)^2, and the estimate from randomised response
 * g/(n (g-1)^2), g = exp(epsilon), whatever the bits are (docs/theory/response.md): a/((1-a)^2 n). So the two
 * standard errors are sqrt(2 a)/((1-a) n) and sqrt(a)/((1-a) sqrt(n)), and their ratio is sqrt(n/2) at every
 * epsilon: n^2/2 users who trust nobody are worth n who trust a curator. */
#ifndef PBY_LAB_EXPERIMENT_CENTRAL_LOCAL_H
#define PBY_LAB_EXPERIMENT_CENTRAL_LOCAL_H

#include <stdint.h>
#include <stdio.h>

#include "probity/enclosure.h"

enum { PBY_MODELS_EPSILONS = 4, PBY_MODELS_SIZES = 6 }; /* n = 10 .. 10^6 */
extern const char *const pby_models_eps[PBY_MODELS_EPSILONS];

/* One epsilon and one n. */
typedef struct pby_models_cell {
    uint64_t n, users;             /* users whose local estimate is as good as the central one of n */
    pby_enclosure central, local;  /* standard errors */
    pby_enclosure printed, beyond; /* 1/(epsilon n), and the chance that the central error is larger */
} pby_models_cell;

typedef struct pby_models {
    pby_models_cell cell[PBY_MODELS_EPSILONS][PBY_MODELS_SIZES];
} pby_models;

/* The plot: both errors against n, a pair of lines for each epsilon. */
void pby_models_plot(FILE *out, const pby_models *m);

#endif
