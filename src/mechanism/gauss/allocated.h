/* SPDX-License-Identifier: MIT */
/* Random allocation: each record is in one of k steps of Gaussian noise, drawn anew for every epoch.
 *
 * The likelihood ratio of an epoch with the record and without it is the mean R of k independent lognormal
 * variables of mean 1. All that a divergence sees is the potential D(x) = E max(0, R - x) = 1 - x + G(x),
 * G(x) = E max(0, x - R). It is bounded from both sides by measures on places, in integers
 * (mechanism/gauss/lognormal.h, docs/theory/allocation.md). */
#ifndef PBY_MECHANISM_GAUSS_ALLOCATED_H
#define PBY_MECHANISM_GAUSS_ALLOCATED_H

#include <flint/fmpq.h>

#include "pair/pair.h"

/* Pairs of atoms, one for each direction, that dominate an epoch of `steps` steps, or, for `upper` false,
 * that an epoch dominates. ratio is D^2/sigma2. */
pby_status pby_allocated_pairs(pby_pairs *out, const fmpq_t ratio, int64_t steps, bool upper, pby_error *err);

#endif
