/* SPDX-License-Identifier: MIT */
/* The stability of an answer, for mechanisms that publish one; release and accuracy share it. */
#ifndef PBY_MECHANISM_SHARED_STEADY_H
#define PBY_MECHANISM_SHARED_STEADY_H

#include "mechanism/family.h"

/* True if noise is scaled by smooth sensitivity, or the answer shown by its radius. */
bool pby_steady_scaled(const pby_mechanism *m);

/* Refuses a mechanism that is not about so many bars, whose number is public. */
PBY_CHECKED
pby_status pby_steady_check(const pby_mechanism *m, size_t bars, pby_error *err);

/* scale = the greatest d decay^far[d], d = 1 .. n (probity/experimental/stable.h). An input that is very far
 * away counts as less far: the scale stays one that neighbours share up to the decay, and is no less than it
 * should be. */
void pby_steady_scale(fmpq_t scale, const pby_mechanism *m, const int64_t *far, size_t n);

#endif
