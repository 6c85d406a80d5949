/* SPDX-License-Identifier: MIT */
/* Above threshold: whether each of a stream of answers reaches a noisy threshold, up to the first that does.
 */
#ifndef PBY_MECHANISM_ABOVE_ABOVE_H
#define PBY_MECHANISM_ABOVE_ABOVE_H

#include "mechanism/family.h"

extern const pby_family pby_family_above;

/* True if a record more lowers no answer. */
bool pby_above_is_monotone(const pby_mechanism *m);

/* The noise of the threshold, which is drawn once, and of every answer, which each draws anew. */
PBY_CHECKED
pby_status pby_above_threshold(pby_law **out, const pby_mechanism *m, pby_error *err);
PBY_CHECKED
pby_status pby_above_answer(pby_law **out, const pby_mechanism *m, pby_error *err);

#endif
