/* SPDX-License-Identifier: MIT */
/* Releases from a source of words that the caller names: for tests, which replay tapes. */
#ifndef PBY_MECHANISM_RUN_NOISE_BARS_H
#define PBY_MECHANISM_RUN_NOISE_BARS_H

#include <gmp.h>
#include <stdbool.h>

#include "mechanism/family.h"
#include "probity/experimental/entropy.h"
#include "probity/experimental/parts.h"
#include "probity/release.h"

/* As pby_release_new; the source is taken over unless it fails. */
pby_status pby_release_with(pby_release **out, const pby_spec *spec, pby_neighbours relation,
                            pby_entropy *source, pby_error *err);

/* Where its words come from. */
pby_entropy *pby_release_source(const pby_release *release);

/* True if utilities decide which bars pass a threshold, and the most that one may be. */
bool pby_release_by_utility(const pby_release *release);
int64_t pby_release_gate_most(const pby_release *release);

/* The last step of a spec that has one. pby_release_counts takes it, on counts of its grid, unless it is held
 * back for the answer of a statistic. */
bool pby_release_has_last(const pby_release *release);
void pby_release_hold_last(pby_release *release);
PBY_CHECKED
pby_status pby_release_check_last(const pby_release *release, pby_error *err);

/* The step itself: a number, rounded to the grid, and noise; out is a multiple of the grid. A number of more
 * than 2^62 steps is taken for that. */
PBY_CHECKED
pby_status pby_release_take_last(mpq_t out, pby_release *release, mpq_srcptr number, pby_error *err);

/* pby_multinomial_draw from the source of the release. */
PBY_CHECKED
pby_status pby_release_deal(pby_release *release, int64_t count, const fmpq *chance, size_t n, int64_t *dealt,
                            pby_error *err);

/* Publishes the answer of a release of a statistic, 0 standing for none. The others return the release's
 * mechanism and neighbours. */
PBY_CHECKED
pby_status pby_release_settle(pby_release *release, const pby_steady *of, int64_t *answer, pby_error *err);
const pby_mechanism *pby_release_mechanism(const pby_release *release);
pby_neighbours pby_release_relation(const pby_release *release);

/* Adds noise to the n counts of a release of chosen bars. */
PBY_CHECKED
pby_status pby_release_noise(pby_release *release, int64_t *counts, size_t n, pby_error *err);

/* For a threshold in front of a mechanism that chooses a candidate: draws which of the n bars pass, passed[i]
 * saying so, and adds each of these with its count for a score. pby_release_candidate chooses among them, by
 * their numbers in the order in which they passed; there must be one. Counts above the limit are taken for
 * it. */
PBY_CHECKED
pby_status pby_release_pass(pby_release *release, const int64_t *counts, const pby_gate *by, bool *passed,
                            size_t n, pby_error *err);

/* Refuses what pby_release_point would refuse of a release of points, before anything is charged. */
PBY_CHECKED
pby_status pby_release_scored(pby_release *release, pby_error *err);

#endif
