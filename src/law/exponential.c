/* SPDX-License-Identifier: MIT */
#include "law/exponential.h"

void pby_add_power(pby_expsum_t out, slong c, const fmpq_t rate, int64_t k)
{
    fmpq_t r;
    fmpz_t m;
    fmpq_init(r);
    fmpz_init(m);
    fmpz_set_si(m, k);
    fmpz_neg(m, m);
    fmpq_mul_fmpz(r, rate, m);
    pby_expsum_add_term_si(out, c, r);
    fmpz_clear(m);
    fmpq_clear(r);
}

int64_t pby_decay_length(const fmpq_t rate, slong level)
{
    fmpz_t k, t;
    fmpz_init(k);
    fmpz_init(t);
    fmpz_set_si(t, level);
    fmpz_mul(t, t, fmpq_denref(rate));
    fmpz_cdiv_q(k, t, fmpq_numref(rate));
    const int64_t length = fmpz_fits_si(k) ? fmpz_get_si(k) : INT64_MAX;
    fmpz_clear(t);
    fmpz_clear(k);
    return length;
}

void pby_minus_rates(arb_t out, const fmpq *rate, int64_t n, slong prec)
{
    fmpq_t x;
    fmpq_init(x);
    fmpq_mul_si(x, rate, -n);
    arb_set_fmpq(out, x, 2 * prec);
    fmpq_clear(x);
}
