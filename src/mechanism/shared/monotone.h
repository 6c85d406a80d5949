/* SPDX-License-Identifier: MIT */
/* Families whose first three parameters are eps, sensitivity and scores, general or monotone: a choice at
 * the rate eps/(2 sensitivity), or eps/sensitivity where a record more moves all scores up or all down. */
#ifndef PBY_MECHANISM_SHARED_MONOTONE_H
#define PBY_MECHANISM_SHARED_MONOTONE_H

#include "mechanism/family.h"

bool pby_monotone(const pby_mechanism *m);
void pby_monotone_rate(fmpq_t rate, const pby_mechanism *m);

/* The refusal of monotone scores and a record that is changed, which may move some up and others down. */
pby_status pby_monotone_about(const pby_mechanism *m, pby_neighbours relation, pby_error *err);

/* Why the bounds of noisymax and permuteflip are in order. */
#define PBY_MONOTONE_ORDER "the bound at a smaller eps is that of more noise"

/* The claim of pure privacy. */
bool pby_monotone_claim(arb_t delta, const pby_mechanism *m, pby_neighbours relation, const fmpq_t epsilon,
                        slong prec);

#endif
