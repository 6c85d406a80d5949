/* SPDX-License-Identifier: MIT */
/* Report noisy max: its noise, its exact law, and how it chooses (docs/theory/noisymax.md). */
#ifndef PBY_MECHANISM_NOISYMAX_NOISYMAX_H
#define PBY_MECHANISM_NOISYMAX_NOISYMAX_H

#include "mechanism/shared/chooser.h"

/* Geometric noise of a rate, of either sign or from 0 on. */
typedef struct pby_max_noise {
    fmpq_t rate;
    bool one_sided;
} pby_max_noise;

void pby_max_noise_init(pby_max_noise *noise, const pby_mechanism *m);
void pby_max_noise_clear(pby_max_noise *noise);

/* The pair that dominates, pairs of some neighbours, and whether the worst of these loses as much as that one
 * at every epsilon. */
pby_status pby_max_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted, pby_error *err);
pby_status pby_max_attained(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted, pby_error *err);
bool pby_max_is_exact(const pby_mechanism *m);

/* Pairs of some neighbours that are good at a Renyi order, as a family's `diverging`. */
pby_status pby_max_diverging(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                             pby_error *err);

/* By how many steps a score may fall behind another. */
int64_t pby_max_moved(const pby_mechanism *m);

/* A ball around the chance that the i-th of n answers is the first of the largest noisy ones. */
pby_status pby_max_chance(arb_t chance, const pby_max_noise *noise, const int64_t *x, size_t n, size_t i,
                          slong prec, pby_error *err);

/* As pby_chooser_class has it. */
pby_status pby_max_worse(arb_t chance, const pby_mechanism *m, uint64_t candidates, const fmpq_t beta,
                         slong prec, pby_error *err);
pby_status pby_max_between(arb_t mean, const pby_mechanism *m, uint64_t candidates, const fmpq_t gamma,
                           slong prec, pby_error *err);

extern const pby_chooser_class pby_max_chooser;

#endif
