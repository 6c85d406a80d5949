/* SPDX-License-Identifier: MIT */
/* Scores of the points of a grid, by which a quantile is chosen (docs/theory/records.md). */
#ifndef PBY_RELEASE_QUANTILE_SCORES_H
#define PBY_RELEASE_QUANTILE_SCORES_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "probity/release.h"

/* Adds a candidate for each point, of which count[] are the records: -|(1 - P) L - P G| of the quantile
 * P = over/under, with L records below the point and G above it. */
PBY_CHECKED
pby_status pby_quantile_scores(pby_release *release, const int64_t *count, size_t points, long over,
                               long under, pby_error *err);

#endif
