/* SPDX-License-Identifier: MIT */
/* A buffer of drawn noise, wiped when it goes. */
#ifndef PBY_MECHANISM_SHARED_NOISE_H
#define PBY_MECHANISM_SHARED_NOISE_H

#include "law/law.h"
#include "mechanism/family.h"
#include "probity/experimental/draw.h"

/* Draws count values into *noise, which pby_noise_free takes; NULL on failure. */
pby_status pby_noise_draw(int64_t **noise, pby_sampler *sampler, pby_entropy *source, size_t count,
                          pby_error *err);
void pby_noise_free(int64_t *noise, size_t count);

/* Checks that every value is from the law's least one, which is not positive, to 0, as the kernel requires of
 * noise that never adds. Only the answer is made public. */
pby_status pby_noise_below_zero(const int64_t *noise, size_t n, const pby_law *law, pby_error *err);

/* The release of a mechanism that adds noise to every bar, the empty ones too. */
pby_status pby_noise_every(const pby_mechanism *m, pby_sampler *sampler, pby_entropy *source,
                           const int64_t *counts, int64_t *noisy, size_t n, pby_error *err);

/* A kernel function that takes one noise value, from -bound to 0, for each occupied bar of x. */
typedef size_t pby_occupied_update(int64_t *y, const int64_t *x, size_t n, const int64_t *noise,
                                   int64_t bound);

/* Draws as many values as there are occupied bars, and updates the bars with them. */
pby_status pby_noise_occupied(pby_occupied_update *update, pby_sampler *sampler, pby_entropy *source,
                              const int64_t *counts, int64_t *noisy, size_t n, pby_error *err);

#endif
