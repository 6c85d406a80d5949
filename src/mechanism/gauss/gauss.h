/* SPDX-License-Identifier: MIT */
/* Gaussians beside each other. */
#ifndef PBY_MECHANISM_GAUSS_GAUSS_H
#define PBY_MECHANISM_GAUSS_GAUSS_H

#include "mechanism/family.h"

/* True for a Gaussian that sees all records, and for the promise of one: those that are one together. */
bool pby_gauss_gathers(const pby_mechanism *m);

/* The square of the distance of the two Gaussians of one that sees all records: D^2/sigma2, that of what a
 * promise names (mechanism/guarantee/gdp.c), or that of a matrix. */
void pby_gauss_squared_distance(fmpq_t out, const pby_mechanism *m);

/* Sets a Gaussian to the one that all such Gaussians of a spec together are; false where it has none. */
bool pby_gauss_gather(pby_mechanism *all, const pby_spec *spec);

/* Sets out to pairs of which every use of a mechanism on a sample of fixed size is dominated by one at least,
 * perhaps by another than before after an earlier output; empty where it is not about clipped records. */
PBY_CHECKED
pby_status pby_gauss_clipped(pby_pairs *out, const pby_mechanism *m, pby_error *err);

#endif
