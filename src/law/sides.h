/* The leading part of a two-sided geometric value, with its side (see law/silent.h). */
#ifndef PBY_LAW_SIDES_H
#define PBY_LAW_SIDES_H

#include "law/law.h"

/* floor(X / M) of a two-sided geometric X with a = exp(-rate) and A = exp(-rate M): mass A^k (1-A)/(1+a) for
 * k >= 0, and A^(-1-k) a (1-A)/(1+a) for k < 0. The body holds all but 2^-64 on either side. */
pby_status pby_law_sides(pby_law **out, const fmpq_t rate, uint64_t m, pby_error *err);

#endif
