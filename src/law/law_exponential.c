/* SPDX-License-Identifier: MIT */
#include "law/law_exponential.h"
#include "number/scoped.h"

void pby_add_power(pby_expsum_t out, slong c, const fmpq_t rate, int64_t k)
{
    PBY_FMPQ(r);
    PBY_FMPZ(m);
    fmpz_set_si(m, k);
    fmpz_neg(m, m);
    fmpq_mul_fmpz(r, rate, m);
    pby_expsum_add_term_si(out, c, r);
}

int64_t pby_decay_length(const fmpq_t rate, slong level)
{
    PBY_FMPZ(k, t);
    fmpz_set_si(t, level);
    fmpz_mul(t, t, fmpq_denref(rate));
    fmpz_cdiv_q(k, t, fmpq_numref(rate));
    return fmpz_fits_si(k) ? fmpz_get_si(k) : INT64_MAX;
}

void pby_minus_rates(arb_t out, const fmpq *rate, int64_t n, slong prec)
{
    PBY_FMPQ(x);
    fmpq_mul_si(x, rate, -n);
    arb_set_fmpq(out, x, 2 * prec);
}
