/* SPDX-License-Identifier: MIT */
/* Microdata: weights from 0 on that fit a noisy histogram and its noisy total, and how accurate they are.
 *
 *     pby_weights *weights;
 *     pby_weights_new(&weights, measured, n, total, err);        post-processing: costs no privacy
 *     char *text;
 *     for (size_t i = 0; i < pby_weights_count(weights); i++)
 *         if (pby_weights_get_text(&text, weights, i, err) == PBY_OK)
 *             puts(text), free(text);
 *     pby_weights_free(weights);
 *
 * The histogram and the total are a release of microdata, tmicrodata or gmicrodata. */
#ifndef PROBITY_EXPERIMENTAL_MICRODATA_H
#define PROBITY_EXPERIMENTAL_MICRODATA_H

#include <gmp.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/enclosure.h"
#include "probity/spec.h"
#include "probity/status.h"

PBY_BEGIN_API

typedef struct pby_weights pby_weights;

/* The weights w_i >= 0 that add up to max(0, total) and are nearest to the measured bars: the least sum of
 * (w_i - measured_i)^2, in exact rationals. They are max(0, measured_i - level) for one level. The conditions
 * under which a solution is the best one are checked on each result; PBY_FAILED if they do not hold. There
 * must be a bar. */
PBY_CHECKED
pby_status pby_weights_new(pby_weights **out, const int64_t *measured, size_t n, int64_t total,
                           pby_error *err) PBY_NONNULL(1);
void pby_weights_free(pby_weights *weights);

PBY_CHECKED
size_t pby_weights_count(const pby_weights *weights) PBY_NONNULL(1);

/* Returns the number of weights above 0. */
PBY_CHECKED
size_t pby_weights_positive(const pby_weights *weights) PBY_NONNULL(1);

/* One of them, 0 where there is no such; and the level. */
void pby_weights_get(mpq_ptr weight, const pby_weights *weights, size_t i) PBY_NONNULL(1, 2);
void pby_weights_level(mpq_ptr level, const pby_weights *weights) PBY_NONNULL(1, 2);

/* pby_weights_get with exact texts, for free(3). */
PBY_CHECKED
pby_status pby_weights_get_text(char **weight, const pby_weights *weights, size_t i, pby_error *err)
    PBY_NONNULL(1, 2);
PBY_CHECKED
pby_status pby_weights_level_text(char **level, const pby_weights *weights, pby_error *err) PBY_NONNULL(1, 2);

/* Squared errors of a mechanism, each the mean over its noise (docs/theory/microdata.md). */
typedef enum pby_weights_error_kind {
    PBY_WEIGHTS_TOTAL, /* of the total, at the worst data */
    PBY_WEIGHTS_BAR,   /* a bound for each bar, at any data: E(|Z| + 2 max |Z_i|)^2 */
    PBY_WEIGHTS_LEAST, /* what some bar has at least, at some data, by any mechanism of the same epsilon and
                        * delta whose total has at most the error PBY_WEIGHTS_TOTAL */
    PBY_WEIGHTS_CLIPPED_BAR,   /* if bars alone were measured, at the same loss, and clipped at 0: of a bar */
    PBY_WEIGHTS_CLIPPED_TOTAL, /* and of the sum of all, on data without records */
} pby_weights_error_kind;

/* For so many bars, from 1 on; epsilon is read for PBY_WEIGHTS_LEAST alone, and is the mechanism's eps where
 * it is NULL. Refused: what is clipped, for tmicrodata, which no measurement of bars alone equals in loss;
 * and noise so wide that more than 2^20 values would have to be added up. */
PBY_CHECKED
pby_status pby_weights_error(pby_enclosure *out, pby_weights_error_kind kind, const pby_spec *spec,
                             uint64_t bars, mpq_srcptr epsilon, unsigned digits, pby_error *err)
    PBY_NONNULL(1, 3);
PBY_CHECKED
pby_status pby_weights_error_text(pby_decimals *out, pby_weights_error_kind kind, const pby_spec *spec,
                                  uint64_t bars, const char *epsilon, unsigned digits, pby_error *err)
    PBY_NONNULL(1, 3);

PBY_END_API

#endif
