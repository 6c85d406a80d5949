/* SPDX-License-Identifier: MIT */
/* The answer of a statistic (ptr, smooth) and chosen bars (choosing), out of counts whose bars are public.
 * Each has a half that refuses and a half that draws, between which a caller charges. */
#ifndef PBY_RELEASE_RELEASE_STEADY_H
#define PBY_RELEASE_RELEASE_STEADY_H

#include "mechanism/family.h"
#include "probity/experimental/statistic.h"
#include "probity/release.h"

/* Measures how far the data are from another answer. out refers to scale, which is a secret. */
PBY_CHECKED
pby_status pby_steady_measure(pby_steady *out, fmpq_t scale, const pby_release *release,
                              const pby_statistic *statistic, const int64_t *counts, size_t n,
                              pby_error *err);

/* Draws the published answer, a bar, or their number for none. */
PBY_CHECKED
pby_status pby_steady_settle(size_t *answer, pby_release *release, const pby_steady *steady, pby_error *err);

/* Refuses counts and a number of rounds that cannot be chosen by. */
PBY_CHECKED
pby_status pby_chosen_check(const pby_release *release, const int64_t *counts, size_t n, size_t rounds,
                            pby_error *err);

/* Draws as many bars as rounds, in the order in which they are chosen, and a noisy count of each. */
PBY_CHECKED
pby_status pby_chosen_draw(pby_release *release, const int64_t *counts, size_t n, size_t rounds, size_t *bars,
                           int64_t *noisy, pby_error *err);

#endif
