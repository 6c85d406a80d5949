/* SPDX-License-Identifier: MIT */
/* The least mean distance on finitely many points. */
#include <stdlib.h>

#include "number/scoped.h"
#include "transport/metric.h"
#include "transport/transport.h"
#include "transport/transport_measure.h"

static pby_status distance_unit(mpz_t unit, const pby_metric_pair *p, pby_error *err)
{
    mpz_set_ui(unit, 1);
    for (size_t i = 0; i < p->x.count; i++)
        for (size_t j = 0; j < p->y.count; j++) {
            mpz_lcm(unit, unit, mpq_denref(pby_metric_between(p, i, j)->value));
            if (mpz_sizeinbase(unit, 2) > PBY_SCALE_BITS_MAX)
                return pby_fail(err, PBY_BAD, "metric: expected a common denominator of at most %d bits",
                                PBY_SCALE_BITS_MAX);
        }
    return PBY_OK;
}

static void set_costs(fmpz *cost, const pby_metric_pair *p, size_t more, mpz_srcptr unit)
{
    const size_t columns = p->y.count + more;
    for (size_t i = 0; i < p->x.count; i++)
        for (size_t j = 0; j < p->y.count; j++)
            if (pby_metric_between(p, i, j)->infinite)
                fmpz_set_si(&cost[i * columns + j], -1);
            else
                pby_metric_times(&cost[i * columns + j], pby_metric_between(p, i, j)->value, unit);
    if (more)
        fmpz_set_si(&cost[p->x.count * columns + p->y.count], -1);
}

/* Mass that may stay goes, at no cost, to one more sink, and mass that may be missing comes from one more
 * source; there is no way from this source to this sink, so that exactly the rest is carried. */
static pby_status least_cost(pby_distance *out, pby_metric_pair *p, mpq_srcptr gamma, pby_error *err)
{
    const size_t more = mpq_sgn(gamma) > 0, rows = p->x.count + more, columns = p->y.count + more;
    fmpz *cost = calloc(rows * columns, sizeof *cost), *spare = &p->x.mass[p->x.count];
    bool possible = false;
    PBY_FMPZ(sum, parts);
    PBY_MPZ(unit);
    pby_kept(spare, p->x.total, gamma);
    fmpz_sub(spare, p->x.total, spare);
    fmpz_set(&p->y.mass[p->y.count], spare);
    pby_status status = cost != NULL ? distance_unit(unit, p, err) : pby_no_memory(err);
    if (status == PBY_OK) {
        set_costs(cost, p, more, unit);
        const pby_transport t = {p->x.mass, p->y.mass, cost, rows, columns};
        status = pby_transport_cost(sum, &possible, &t, err);
        fmpz_set_mpz(parts, unit);
        fmpz_mul(parts, parts, p->x.total);
        pby_set_quotient(out->value, sum, parts);
        out->infinite = !possible;
    }
    for (size_t k = 0; cost != NULL && k < rows * columns; k++)
        fmpz_clear(&cost[k]);
    free(cost);
    return status;
}

pby_status pby_metric_average(pby_distance *out, mpq_srcptr p, mpq_srcptr q, const pby_distance *metric,
                              size_t n, mpq_srcptr gamma, pby_error *err)
{
    pby_metric_pair laws;
    pby_status status = pby_metric_pair_init(&laws, p, q, metric, n, err);
    if (status == PBY_OK)
        status = pby_metric_as_laws(&laws, gamma, err);
    if (status == PBY_OK)
        status = least_cost(out, &laws, gamma, err);
    pby_metric_pair_clear(&laws);
    return status;
}
