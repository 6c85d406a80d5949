/* SPDX-License-Identifier: MIT */
/* Poisson samples of which at most so many records are used. */
#ifndef PBY_MECHANISM_PRIVACY_TRUNCATION_H
#define PBY_MECHANISM_PRIVACY_TRUNCATION_H

#include "mechanism/family.h"

/* chance = at least the chance that, of the records beside one, as many are drawn as a batch has, so that one
 * more would take the place of another. */
void pby_truncation_chance(fmpq_t chance, const pby_mechanism *m);

/* out = m with twice its sensitivity; out was made for the same family. */
void pby_mechanism_twice(pby_mechanism *out, const pby_mechanism *m);

#endif
