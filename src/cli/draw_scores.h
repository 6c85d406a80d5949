/* SPDX-License-Identifier: MIT */
/* Draws of candidates by their scores, one name a line. */
#ifndef PBY_CLI_DRAW_SCORES_H
#define PBY_CLI_DRAW_SCORES_H

#include <stdbool.h>
#include <stdint.h>

#include "probity/spec.h"

/* True if a spec is one mechanism that chooses a candidate by its score. */
bool pby_draw_wants_scores(const pby_spec *spec);

/* seed NULL: words from the system's generator. */
PBY_CHECKED
pby_status pby_draw_scores(const pby_spec *spec, const char *path, uint64_t count, const uint8_t *seed,
                           bool json, pby_error *err);

#endif
