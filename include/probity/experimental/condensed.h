/* SPDX-License-Identifier: MIT */
/* Privacy that falls with a distance: condensed local privacy, or d-privacy.
 *
 * A channel gives an output z on an input x with the chance p(z|x). It is alpha-private for a metric d if
 *
 *     p(z|x) <= exp(alpha d(x, y)) p(z|y) for all inputs x, y and every output z.
 *
 * With the discrete metric, 1 between any two inputs, this is local privacy at epsilon = alpha.
 *
 * channel[x * outputs + z] is p(z|x), from 0 to 1, and each row adds up to 1. metric[x * inputs + y] is d(x,
 * y): from 0 on, 0 for x = y, and the same both ways; the triangle inequality is not needed. Everything is
 * decided exactly (docs/theory/condensed.md). */
#ifndef PROBITY_EXPERIMENTAL_CONDENSED_H
#define PROBITY_EXPERIMENTAL_CONDENSED_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>

#include "probity/enclosure.h"
#include "probity/status.h"

PBY_BEGIN_API

/* Two inputs and an output whose chance is the greater on x. */
typedef struct pby_condensed_pair {
    size_t x, y, output;
} pby_condensed_pair;

/* The least alpha, which is infinite where some chance is above 0 beside one that is 0 or beside a different
 * one at distance 0; and inputs that need it. Where all inputs are at distance 0 or have one law it is 0.
 * Refused beyond 2^28 comparisons. */
PBY_CHECKED
pby_status pby_condensed_least(pby_enclosure *alpha, pby_condensed_pair *worst, mpq_srcptr channel,
                               mpq_srcptr metric, size_t inputs, size_t outputs, unsigned digits,
                               pby_error *err) PBY_NONNULL(1, 2, 3, 4);

/* Decides if the channel is alpha-private, alpha from 0 on; if not, names inputs that show it. */
PBY_CHECKED
pby_status pby_condensed_holds(bool *holds, pby_condensed_pair *worst, mpq_srcptr channel, mpq_srcptr metric,
                               size_t inputs, size_t outputs, mpq_srcptr alpha, pby_error *err)
    PBY_NONNULL(1, 2, 3, 4, 7);

/* Both with numbers as text. */
PBY_CHECKED
pby_status pby_condensed_least_text(pby_decimals *alpha, pby_condensed_pair *worst,
                                    const char *const *channel, const char *const *metric, size_t inputs,
                                    size_t outputs, unsigned digits, pby_error *err) PBY_NONNULL(1, 2, 3, 4);
PBY_CHECKED
pby_status pby_condensed_holds_text(bool *holds, pby_condensed_pair *worst, const char *const *channel,
                                    const char *const *metric, size_t inputs, size_t outputs,
                                    const char *alpha, pby_error *err) PBY_NONNULL(1, 2, 3, 4, 7);

PBY_END_API

#endif
