/* SPDX-License-Identifier: MIT */
/* Noise on numbers that may be below 0: sums, means and variances, of a spec's parts or of a plan. */
#ifndef PBY_RELEASE_RELEASE_NUMBERS_H
#define PBY_RELEASE_RELEASE_NUMBERS_H

#include "mechanism/family.h"

/* Lists the mechanism of each part of a spec, its uses one by one. Returns false if there are not exactly
 * `count`, or if the spec has a first or a last step. */
bool pby_list_parts(const pby_mechanism **part, size_t count, const pby_spec *spec);

/* Adds the noise of one use of the spec to n numbers within 2^61, in their place. Sets them to 0 on
 * failure. */
PBY_CHECKED
pby_status pby_release_numbers(const pby_spec *spec, pby_neighbours relation, int64_t *x, size_t n,
                               pby_error *err);

#endif
