/* SPDX-License-Identifier: MIT */
#include "mechanism/shared/monotone.h"

enum { EPS, SENSITIVITY, SCORES };

bool pby_monotone(const pby_mechanism *m)
{
    return pby_mechanism_has(m, SCORES);
}

void pby_monotone_rate(fmpq_t rate, const pby_mechanism *m)
{
    fmpq_div(rate, &m->value[EPS], &m->value[SENSITIVITY]);
    if (!pby_monotone(m))
        fmpq_div_2exp(rate, rate, 1);
}

pby_status pby_monotone_about(const pby_mechanism *m, pby_neighbours relation, pby_error *err)
{
    return relation == PBY_SUBSTITUTE && pby_monotone(m)
               ? pby_mechanism_refuse(m, "scores=general: a changed record moves monotone scores both ways",
                                      err)
               : PBY_OK;
}

bool pby_monotone_claim(arb_t delta, const pby_mechanism *m, pby_neighbours relation, const fmpq_t epsilon,
                        slong prec)
{
    (void)relation;
    (void)prec;
    arb_zero(delta);
    return fmpq_cmp(epsilon, &m->value[EPS]) >= 0;
}
