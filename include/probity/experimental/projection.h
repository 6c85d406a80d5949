/* SPDX-License-Identifier: MIT */
/* Decides if a query survives a transformation of the data ([Thresh] Definition 10, an approximate
 * projection).
 *
 * A random transformation turns a database, an input, into another one, a result. One query is asked of the
 * input, another of the result, and each answer has a utility from 0 on. Two utilities are a factor apart:
 * the greater over the less, 1 where both are 0, infinite where one of them is. The second query stands for
 * the first if on every input the two are at most exp(epsilon) apart, but for a chance theta. The paper
 * writes gamma for epsilon and beta for theta. Everything is decided in exact rationals
 * (docs/theory/stabilise.md).
 */
#ifndef PROBITY_EXPERIMENTAL_PROJECTION_H
#define PROBITY_EXPERIMENTAL_PROJECTION_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>

#include "probity/enclosure.h"
#include "probity/status.h"

PBY_BEGIN_API

/* At most PBY_PROJECTION_MAX chances. */
enum { PBY_PROJECTION_MAX = 1 << 20 };
typedef struct pby_projection {
    mpq_srcptr channel; /* the chance of result j on input i at i * results + j; each row adds up to 1 */
    mpq_srcptr utility; /* of the query on each input */
    mpq_srcptr seen;    /* of the other query on each result */
    size_t inputs, results;
} pby_projection;

/* Where it is worst: an input and a result that it has a chance to become. */
typedef struct pby_projection_worst {
    size_t input, result;
    size_t other; /* pby_projection_best: another input that may become the same result */
} pby_projection_worst;

/* The least epsilon at a theta from 0 on, below 1; it may be infinite. */
PBY_CHECKED
pby_status pby_projection_epsilon(pby_enclosure *epsilon, pby_projection_worst *worst,
                                  const pby_projection *p, mpq_srcptr theta, unsigned digits, pby_error *err)
    PBY_NONNULL(1, 2, 3, 4);

/* The least theta at an epsilon from 0 on, exactly; it may be 1. *worst is the farthest result of the input
 * that has it. */
PBY_CHECKED
pby_status pby_projection_theta(mpq_t theta, pby_projection_worst *worst, const pby_projection *p,
                                mpq_srcptr epsilon, pby_error *err) PBY_NONNULL(1, 2, 3, 4);

/* The least epsilon at theta 0 over all that the other query may answer: p->seen is not read. Two inputs that
 * may become one result decide it. */
PBY_CHECKED
pby_status pby_projection_best(pby_enclosure *epsilon, pby_projection_worst *worst, const pby_projection *p,
                               unsigned digits, pby_error *err) PBY_NONNULL(1, 2, 3);

/* ---- numbers as text --------------------------------------------------------------------------- */

/* pby_projection with texts; seen may be NULL where it is not read. */
typedef struct pby_projection_words {
    const char *const *channel, *const *utility, *const *seen;
    size_t inputs, results;
} pby_projection_words;

PBY_CHECKED
pby_status pby_projection_epsilon_text(pby_decimals *epsilon, pby_projection_worst *worst,
                                       const pby_projection_words *p, const char *theta, unsigned digits,
                                       pby_error *err) PBY_NONNULL(1, 2, 3, 4);

/* theta is for free(3). */
PBY_CHECKED
pby_status pby_projection_theta_text(char **theta, pby_projection_worst *worst, const pby_projection_words *p,
                                     const char *epsilon, pby_error *err) PBY_NONNULL(1, 2, 3, 4);
PBY_CHECKED
pby_status pby_projection_best_text(pby_decimals *epsilon, pby_projection_worst *worst,
                                    const pby_projection_words *p, unsigned digits, pby_error *err)
    PBY_NONNULL(1, 2, 3);

PBY_END_API

#endif
