/* SPDX-License-Identifier: MIT */
#include "mechanism/fbquantile/typical.h"
#include "number/scoped.h"

/* sum += times P(Bin(n, p) <= k), 0 <= p and 0 <= k < n; 0 from p = 1 on. */
static void add_tail(arb_t sum, ulong times, ulong n, const fmpq_t p, ulong k, slong prec)
{
    if (fmpz_cmp(fmpq_numref(p), fmpq_denref(p)) >= 0)
        return;
    PBY_FMPQ(q, odds);
    PBY_ARB(term, tail);
    fmpz_sub(fmpq_numref(q), fmpq_denref(p), fmpq_numref(p));
    fmpz_set(fmpq_denref(q), fmpq_denref(p));
    fmpq_canonicalise(q);
    fmpq_div(odds, p, q);
    arb_set_fmpq(term, q, prec);
    arb_pow_ui(term, term, n, prec);
    for (ulong i = 0; i <= k; i++) {
        arb_add(tail, tail, term, prec);
        arb_mul_ui(term, term, n - i, prec);
        arb_div_ui(term, term, i + 1, prec);
        arb_mul_fmpz(term, term, fmpq_numref(odds), prec);
        arb_div_fmpz(term, term, fmpq_denref(odds), prec);
    }
    arb_addmul_ui(sum, tail, times, prec);
}

pby_status pby_rank_untypical(arb_t chance, const pby_rank *r, const fmpq_t q, const fmpq_t density,
                              const fmpq_t within, slong prec, pby_error *err)
{
    const ulong n = (ulong)r->n, m = (ulong)r->m;
    (void)err;
    PBY_FMPQ(p, half);
    arb_zero(chance);
    for (ulong k = 1; k <= r->reach; k++) {
        fmpq_mul_ui(p, density, k);
        fmpq_mul_ui(p, p, r->step);
        add_tail(chance, 2, n, p, k - 1, prec);
    }
    fmpq_mul(half, density, within);
    fmpq_div_2exp(half, half, 1);
    fmpq_add(p, q, half);
    add_tail(chance, 1, n, p, m - 1, prec);
    fmpq_sub(p, half, q);
    fmpq_add_si(p, p, 1);
    add_tail(chance, 1, n, p, n - m, prec);
    return PBY_OK;
}
