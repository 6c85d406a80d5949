/* SPDX-License-Identifier: MIT */
/* Distances of two laws on the line.
 *
 * A lossy coupling of P and Q is a law of pairs whose marginals are within total variation a of P and b of
 * Q, a + b <= gamma. Removing what exceeds P and then what exceeds Q leaves a carriage of at least
 * 1 - gamma from P into Q; and a carriage of that much becomes a lossy coupling when what is left of P
 * is coupled with itself, at distance 0. So both distances are questions about carriages. */
#include "number/scoped.h"
#include "transport/transport_measure.h"

pby_status pby_lines_distance(mpq_t out, const pby_lines *l, mpq_srcptr gamma, pby_error *err)
{
    PBY_FMPZ(need, b);
    pby_kept(need, l->x.total, gamma);
    const pby_status status = pby_line_reach(b, &l->x, &l->y, need, err);
    if (status == PBY_OK)
        pby_set_quotient(out, b, l->unit);
    return status;
}

pby_status pby_lines_average(mpq_t out, const pby_lines *l, mpq_srcptr gamma, pby_error *err)
{
    PBY_FMPZ(cost, unit);
    const pby_status status = pby_lines_cost(cost, l, gamma, err);
    if (status == PBY_OK) {
        fmpz_set_mpz(unit, mpq_denref(gamma));
        fmpz_mul(unit, unit, l->unit);
        fmpz_mul(unit, unit, l->x.total);
        pby_set_quotient(out, cost, unit);
    }
    return status;
}

void pby_lines_variation(mpq_t out, const pby_lines *l)
{
    PBY_FMPZ(more, sum);
    for (pby_stop s = {.i = 0}; pby_stop_next(&s, l);) {
        pby_stop_surplus(more, &s, l);
        if (fmpz_sgn(more) > 0)
            fmpz_add(sum, sum, more);
    }
    pby_set_quotient(out, sum, l->x.total);
}

/* ---- of two measures ---------------------------------------------------------------------------- */

typedef pby_status distance(mpq_t out, const pby_lines *l, mpq_srcptr gamma, pby_error *err);

static pby_status of_laws(mpq_t out, const pby_measure *p, const pby_measure *q, distance *f,
                          mpq_srcptr gamma, pby_error *err)
{
    pby_lines l;
    pby_status status = pby_check_gamma(gamma, err);
    if (status != PBY_OK)
        return status;
    status = pby_lines_init(&l, p, q, err);
    if (status == PBY_OK)
        status = pby_lines_normalise(&l, err);
    if (status == PBY_OK)
        status = f(out, &l, gamma, err);
    pby_lines_clear(&l);
    return status;
}

pby_status pby_lossy_distance(mpq_t out, const pby_measure *p, const pby_measure *q, mpq_srcptr gamma,
                              pby_error *err)
{
    return of_laws(out, p, q, pby_lines_distance, gamma, err);
}

pby_status pby_lossy_average(mpq_t out, const pby_measure *p, const pby_measure *q, mpq_srcptr gamma,
                             pby_error *err)
{
    return of_laws(out, p, q, pby_lines_average, gamma, err);
}

pby_status pby_total_variation(mpq_t out, const pby_measure *p, const pby_measure *q, pby_error *err)
{
    pby_lines l;
    pby_status status = pby_lines_init(&l, p, q, err);
    if (status == PBY_OK)
        status = pby_lines_normalise(&l, err);
    if (status == PBY_OK)
        pby_lines_variation(out, &l);
    pby_lines_clear(&l);
    return status;
}
