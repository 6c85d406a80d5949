/* SPDX-License-Identifier: MIT */
/* Releases that do not show counts or noise: every bar draws, and the update takes the same steps for all. */
#ifndef PBY_MECHANISM_RUN_TIMING_SAFE_H
#define PBY_MECHANISM_RUN_TIMING_SAFE_H

#include "mechanism/family.h"

/* As pby_release_counts, with a sampler that has been made timing-safe. */
pby_status pby_silent_release(pby_silent_update *update, pby_sampler *sampler, pby_entropy *source,
                              const int64_t *counts, int64_t *noisy, size_t n, pby_error *err);

#endif
