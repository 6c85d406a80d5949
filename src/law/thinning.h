/* SPDX-License-Identifier: MIT */
/* Counts of which each record is seen with a rational chance, exactly: Binomial(x, rate) for a count x. */
#ifndef PBY_LAW_THINNING_H
#define PBY_LAW_THINNING_H

#include <flint/fmpq.h>
#include <stdint.h>

#include "base/status.h"
#include "probity/experimental/entropy.h"

/* The largest count that is thinned: the work grows with it, about a thirty-second of a random word for each
 * record. */
#define PBY_THINNED_MAX ((int64_t)1 << 36)

typedef struct pby_thinning pby_thinning;

/* 0 < rate < 1 */
PBY_CHECKED
pby_status pby_thinning_new(pby_thinning **out, const fmpq_t rate, pby_error *err);
void pby_thinning_free(pby_thinning *thinning);

/* seen[i] = the records of counts[i] that are seen, each bar from words of its own; seen may be counts.
 * Counts are from 0 on; one above PBY_THINNED_MAX is refused. The time tells of counts and of what is seen.
 */
PBY_CHECKED
pby_status pby_thinning_draw(pby_thinning *thinning, pby_entropy *source, const int64_t *counts,
                             int64_t *seen, size_t n, pby_error *err);

#endif
