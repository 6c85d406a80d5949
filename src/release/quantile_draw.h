/* SPDX-License-Identifier: MIT */
/* A quantile is chosen among the points of a grid by their scores (docs/theory/records.md). */
#ifndef PBY_RELEASE_QUANTILE_DRAW_H
#define PBY_RELEASE_QUANTILE_DRAW_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "probity/release.h"

/* Chooses a point, of which count[] are the records, by the scores -|(1 - P) L - P G| of the quantile
 * P = over/under, with L records below the point and G above it. The scores are wiped. */
PBY_CHECKED
pby_status pby_quantile_draw(uint64_t *point, pby_release *release, const int64_t *count, size_t points,
                             long over, long under, pby_error *err);

#endif
