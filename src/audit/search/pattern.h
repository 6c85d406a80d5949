/* SPDX-License-Identifier: MIT */
/* Pairs of inputs to begin with, and pairs near a pair. */
#ifndef PBY_AUDIT_SEARCH_PATTERN_H
#define PBY_AUDIT_SEARCH_PATTERN_H

#include "audit/search/search_inputs.h"

/* Fills in up to `most` different pairs, the patterns that show most mechanisms first; returns how many. */
size_t pby_patterns(pby_input_pair *pair, size_t most, const pby_inputs *inputs);

/* A pair that differs from another in one or a few steps, by a public stream of numbers that *state is the
 * state of. */
void pby_pattern_near(pby_input_pair *out, const pby_input_pair *from, const pby_inputs *inputs,
                      uint64_t *state);

#endif
