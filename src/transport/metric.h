/* SPDX-License-Identifier: MIT */
/* Two measures on finitely many points, as integer masses. */
#ifndef PBY_TRANSPORT_METRIC_H
#define PBY_TRANSPORT_METRIC_H

#include <flint/fmpz.h>

#include "base/status.h"
#include "probity/experimental/accuracy.h"

/* Those of positive mass. There is room for one more mass. */
typedef struct pby_metric_side {
    fmpz *mass;
    size_t *point;
    size_t count;
    fmpz_t total;
} pby_metric_side;

typedef struct pby_metric_pair {
    pby_metric_side x, y;
    const pby_distance *metric;
    size_t n;
} pby_metric_pair;

/* Refuses what is no metric and no mass. To be cleared whether this succeeds or not. */
pby_status pby_metric_pair_init(pby_metric_pair *out, mpq_srcptr x, mpq_srcptr y, const pby_distance *metric,
                                size_t n, pby_error *err);
void pby_metric_pair_clear(pby_metric_pair *p);

/* Both with one total, of which a part gamma is a whole number; refuses a total of 0 and what is no gamma. */
pby_status pby_metric_as_laws(pby_metric_pair *p, mpq_srcptr gamma, pby_error *err);

/* From the i-th of x to the j-th of y. */
static inline const pby_distance *pby_metric_between(const pby_metric_pair *p, size_t i, size_t j)
{
    return &p->metric[p->x.point[i] * p->n + p->y.point[j]];
}

/* The distances of n points in the maximum norm, the greatest difference of a coordinate: coordinate k of
 * point i is at + i * dimension + k. *out is NULL on failure. */
pby_status pby_maximum_norm(pby_distance **out, mpq_srcptr at, size_t n, size_t dimension, pby_error *err);
void pby_metric_free(pby_distance *metric, size_t n);

/* q times unit, which its denominator divides. */
void pby_metric_times(fmpz_t out, mpq_srcptr q, mpz_srcptr unit);

#endif
