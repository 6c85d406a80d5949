/* SPDX-License-Identifier: MIT */
/* The stability of a statistic on given data, as propose-test-release and smooth sensitivity need it.
 *
 * Both are secrets: they depend on the data as counts do, and are published only through a mechanism (ptr and
 * smooth of probity/spec.h). Bars are numbered from 1, and an answer that is none counts as 0. */
#ifndef PROBITY_EXPERIMENTAL_STABLE_H
#define PROBITY_EXPERIMENTAL_STABLE_H

#include <stddef.h>
#include <stdint.h>

#include "probity/experimental/statistic.h"
#include "probity/spec.h"
#include "probity/status.h"

PBY_BEGIN_API

/* The number of changes that the answer is sure to survive: one less than the fewest that change it.
 * INT64_MAX where none do. A change adds or removes a record, or moves one to another bar. Of max, max_k,
 * min, min_k and mode; the others are refused. Counts must not be negative, nor their sum beyond 2^60. */
PBY_CHECKED
pby_status pby_statistic_radius(int64_t *radius, const pby_statistic *statistic, pby_neighbours relation,
                                const int64_t *counts, size_t n, pby_error *err) PBY_NONNULL(1, 2);

/* far[d], for d = 0 .. n: the fewest records that are added or removed until one more moves the answer by d
 * bars or, from or to none, by its number d. far[0] is 0, and INT64_MAX stands where no answer moves by d.
 * The greatest d r^far[d] is the smooth sensitivity at decay r. Of max, max_k and mode; n is at most
 * PBY_STABLE_BARS. */
enum { PBY_STABLE_BARS = 1024 };
PBY_CHECKED
pby_status pby_statistic_jumps(int64_t *far, const pby_statistic *statistic, const int64_t *counts, size_t n,
                               pby_error *err) PBY_NONNULL(1, 2);

PBY_END_API

#endif
