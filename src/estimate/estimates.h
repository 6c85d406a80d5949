/* SPDX-License-Identifier: MIT */
/* Estimates that are being made. */
#ifndef PBY_ESTIMATE_ESTIMATES_H
#define PBY_ESTIMATE_ESTIMATES_H

#include "probity/experimental/estimate.h"

struct pby_estimates {
    pby_estimate *at;
    size_t count;
};

/* So many, without names, and all 0. */
PBY_CHECKED
pby_status pby_estimates_alloc(pby_estimates **out, size_t count, pby_error *err);

#endif
