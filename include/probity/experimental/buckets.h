/* SPDX-License-Identifier: MIT */
/* The chance that a partition shows a bar, and plans of buckets.
 */
#ifndef PROBITY_EXPERIMENTAL_BUCKETS_H
#define PROBITY_EXPERIMENTAL_BUCKETS_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "probity/enclosure.h"
#include "probity/spec.h"
#include "probity/status.h"

PBY_BEGIN_API

/* ---- partition --------------------------------------------------------------------------------- */

/* The chance that a partition shows a bar of k records, each time that it is used. *sure is set from the
 * first k on for which it is 1. */
PBY_CHECKED
pby_status pby_partition_chance(pby_enclosure *chance, bool *sure, const pby_spec *spec, uint64_t k,
                                unsigned digits, pby_error *err) PBY_NONNULL(1, 2, 3);

/* ---- buckets ----------------------------------------------------------------------------------- */

/* Points of [0, bound)^dimension, of which there are n, in buckets of which each may lose q. */
typedef struct pby_bucketed {
    mpq_srcptr q, bound;
    uint64_t n, dimension;
} pby_bucketed;

/* So many buckets along each coordinate, of that width; then a part alpha of the points is dropped at most,
 * and none is moved farther than beta along a coordinate. */
typedef struct pby_plan {
    mpz_t side;
    mpq_t width, alpha, beta;
} pby_plan;

void pby_plan_init(pby_plan *plan) PBY_NONNULL(1);
void pby_plan_clear(pby_plan *plan) PBY_NONNULL(1);

/* Buckets of width bound/side. */
PBY_CHECKED
pby_status pby_plan_side(pby_plan *plan, const pby_bucketed *points, mpz_srcptr side, pby_error *err)
    PBY_NONNULL(1, 2, 3);

/* The least alpha for a beta, beta > 0: buckets as wide as beta allows. */
PBY_CHECKED
pby_status pby_plan_beta(pby_plan *plan, const pby_bucketed *points, mpq_srcptr beta, pby_error *err)
    PBY_NONNULL(1, 2, 3);

/* The least beta for an alpha from 0 to 1: as many buckets as alpha allows. Refused when it allows none. */
PBY_CHECKED
pby_status pby_plan_alpha(pby_plan *plan, const pby_bucketed *points, mpq_srcptr alpha, pby_error *err)
    PBY_NONNULL(1, 2, 3);

/* ---- numbers as text --------------------------------------------------------------------------- */

PBY_CHECKED
pby_status pby_partition_chance_text(pby_decimals *chance, bool *sure, const pby_spec *spec, uint64_t k,
                                     unsigned digits, pby_error *err) PBY_NONNULL(1, 2, 3);

/* pby_bucketed, and a pby_plan whose numbers are exact texts. */
typedef struct pby_bucketed_words {
    const char *q, *bound;
    uint64_t n, dimension;
} pby_bucketed_words;

typedef struct pby_plan_words {
    char *side, *width, *alpha, *beta;
} pby_plan_words;

/* pby_plan_side, pby_plan_beta or pby_plan_alpha: one of side, beta and alpha is given, the others are NULL.
 * To be cleared when it succeeds. */
PBY_CHECKED
pby_status pby_plan_text(pby_plan_words *out, const pby_bucketed_words *points, const char *side,
                         const char *beta, const char *alpha, pby_error *err) PBY_NONNULL(1, 2);
void pby_plan_words_clear(pby_plan_words *plan) PBY_NONNULL(1);

PBY_END_API

#endif
