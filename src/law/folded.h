/* SPDX-License-Identifier: MIT */
/* The leading part of the magnitude of a two-sided geometric value (see law/law_silent.h). */
#ifndef PBY_LAW_FOLDED_H
#define PBY_LAW_FOLDED_H

#include "law/law.h"

/* ceil(|X| / M) of a two-sided geometric X with a = exp(-rate) and A = exp(-rate M): mass (1-a)/(1+a) at 0,
 * and 2a/(1+a) (1-A) A^(k-1) at k >= 1. The body holds all but 2^-64. */
pby_status pby_law_folded(pby_law **out, const fmpq_t rate, uint64_t m, pby_error *err);

#endif
