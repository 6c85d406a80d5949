/* SPDX-License-Identifier: MIT */
/* Statistics of a histogram whose bars stand in order.
 *
 *   max, min          the last and the first occupied bar
 *   max_k, min_k      the last and the first bar that holds at least k records
 *   range             the maximum less the minimum
 *   support           the occupied bars
 *   mode              the first of the fullest bars
 *   median, quantile  the first occupied bar such that it and those before it hold half, or the share
 *                     asked for, of all records
 *
 * An empty histogram has none of them, except that its support is the empty set.
 */
#ifndef PROBITY_EXPERIMENTAL_STATISTIC_H
#define PROBITY_EXPERIMENTAL_STATISTIC_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"

PBY_BEGIN_API

typedef enum pby_statistic_name {
    PBY_STATISTIC_MAX,
    PBY_STATISTIC_MIN,
    PBY_STATISTIC_MAX_K,
    PBY_STATISTIC_MIN_K,
    PBY_STATISTIC_RANGE,
    PBY_STATISTIC_SUPPORT,
    PBY_STATISTIC_MODE,
    PBY_STATISTIC_MEDIAN,
    PBY_STATISTIC_QUANTILE
} pby_statistic_name;

typedef struct pby_statistic {
    pby_statistic_name name;
    int64_t k;        /* of max_k and min_k, at least 1 */
    int32_t num, den; /* of quantile: 0 <= num <= den, 0 < den */
} pby_statistic;

/* The statistic of that name, with k and q as text; each is required by the statistics that read it, and
 * refused, unless NULL, by the others. q is a rational from 0 to 1 whose denominator is below 2^31. */
PBY_CHECKED
pby_status pby_statistic_parse(pby_statistic *out, const char *name, const char *k, const char *q,
                               pby_error *err) PBY_NONNULL(1, 2);
PBY_CHECKED
const char *pby_statistic_text(pby_statistic_name name);

/* Return true if a statistic reads the order of the bars (all but support and mode), and if it reads nothing
 * but which of them are occupied (max, min, range and support; max_k and min_k with k = 1, and the quantiles
 * 0 and 1). */
PBY_CHECKED
bool pby_statistic_ordered(const pby_statistic *statistic) PBY_NONNULL(1);
PBY_CHECKED
bool pby_statistic_of_support(const pby_statistic *statistic) PBY_NONNULL(1);

/* The bars that a statistic is made of: bars[0 .. *found-1], in order; room for n. One bar for most, the
 * first and the last for range (one when they are the same), every occupied one for support, and none when
 * there is no such bar. The counts must not be negative, nor, of median and quantile, their sum be beyond
 * INT64_MAX. */
PBY_CHECKED
pby_status pby_statistic_bars(size_t *bars, size_t *found, const pby_statistic *statistic,
                              const int64_t *counts, size_t n, pby_error *err) PBY_NONNULL(2, 3);

PBY_END_API

#endif
