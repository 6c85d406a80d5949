/* SPDX-License-Identifier: MIT */
/* Permute-and-flip: how it chooses (docs/theory/permuteflip.md). */
#ifndef PBY_MECHANISM_PERMUTEFLIP_PERMUTEFLIP_H
#define PBY_MECHANISM_PERMUTEFLIP_PERMUTEFLIP_H

#include "mechanism/shared/chooser.h"

extern const pby_chooser_class pby_flip_chooser;

/* The chance of a candidate among `candidates`, whose coins show heads with the chances exp(-fall). */
void pby_flip_chance(arb_t chance, const fmpq *fall, size_t candidates, size_t candidate, slong prec);

/* The chooser's `worse` and `level` (mechanism/shared/chooser.h). */
pby_status pby_flip_worse(arb_t chance, const pby_mechanism *m, uint64_t candidates, const fmpq_t beta,
                          slong prec, pby_error *err);
void pby_flip_level(arb_t chance, arb_t slope, uint64_t candidates, const arb_t s, slong prec);

#endif
