/* SPDX-License-Identifier: MIT */
#include "mechanism/privacy/truncation.h"

#include <arb.h>

#include "number/directed.h"
#include "number/scoped.h"

enum { TERMS = 4096 };

/* out = log C(n, k) + k log q + (n-k) log(1-q) */
static void log_term(arb_t out, const fmpz_t n, const fmpz_t k, const fmpq_t q, slong prec)
{
    PBY_ARB(x);
    PBY_FMPZ(rest);
    PBY_FMPQ(other);
    fmpz_sub(rest, n, k);
    fmpq_one(other);
    fmpq_sub(other, other, q);
    arb_set_fmpz(x, n);
    arb_add_ui(x, x, 1, prec);
    arb_lgamma(out, x, prec);
    arb_set_fmpz(x, k);
    arb_add_ui(x, x, 1, prec);
    arb_lgamma(x, x, prec);
    arb_sub(out, out, x, prec);
    arb_set_fmpz(x, rest);
    arb_add_ui(x, x, 1, prec);
    arb_lgamma(x, x, prec);
    arb_sub(out, out, x, prec);
    arb_set_fmpq(x, q, prec);
    arb_log(x, x, prec);
    arb_addmul_fmpz(out, x, k, prec);
    arb_set_fmpq(x, other, prec);
    arb_log(x, x, prec);
    arb_addmul_fmpz(out, x, rest, prec);
}

/* ratio = (n-k)/(k+1) q/(1-q), of the term behind the k-th to it: it falls as k grows. */
static void ratio_behind(fmpq_t ratio, const fmpz_t n, const fmpz_t k, const fmpq_t q)
{
    PBY_FMPZ(a, b, next);
    fmpz_sub(a, n, k);
    fmpz_mul(a, a, fmpq_numref(q));
    fmpz_sub(b, fmpq_denref(q), fmpq_numref(q));
    fmpz_add_ui(next, k, 1);
    fmpz_mul(b, b, next);
    fmpq_set_fmpz_frac(ratio, a, b);
}

/* sum = at least 1 + r_k + r_k r_(k+1) + ...: some terms, and the others as a geometric series; infinite
 * where the ratios are not below 1 by then. */
static void series(arb_t sum, const fmpz_t n, const fmpz_t from, const fmpq_t q, slong prec)
{
    fmpz_t k;
    PBY_ARB(term, ratio);
    fmpz_init_set(k, from);
    PBY_FMPQ(r);
    arb_one(term);
    arb_zero(sum);
    for (int i = 0; i < TERMS && fmpz_cmp(k, n) <= 0; i++, fmpz_add_ui(k, k, 1)) {
        arb_add(sum, sum, term, prec);
        ratio_behind(r, n, k, q);
        arb_set_fmpq(ratio, r, prec);
        arb_mul(term, term, ratio, prec);
    }
    if (fmpz_cmp(k, n) <= 0) {
        ratio_behind(r, n, k, q);
        fmpq_sub_si(r, r, 1);
        if (fmpq_sgn(r) < 0) {
            fmpq_neg(r, r);
            arb_set_fmpq(ratio, r, prec);
            arb_div(term, term, ratio, prec);
            arb_add(sum, sum, term, prec);
        } else {
            arb_pos_inf(sum);
        }
    }
    fmpz_clear(k);
}

void pby_truncation_chance(fmpq_t chance, const pby_mechanism *m)
{
    const fmpq *q = pby_mechanism_sample(m), *batch = pby_mechanism_value(m, PBY_ROLE_BATCH),
               *among = pby_mechanism_value(m, PBY_ROLE_AMONG);
    const slong prec = 128 + 2 * (slong)fmpz_bits(fmpq_numref(among));
    PBY_ARB(sum, first);
    PBY_FMPZ(others);
    fmpz_sub_ui(others, fmpq_numref(among), 1);
    fmpq_zero(chance);
    if (fmpz_cmp(fmpq_numref(batch), others) <= 0) {
        series(sum, others, fmpq_numref(batch), q, prec);
        log_term(first, others, fmpq_numref(batch), q, prec);
        arb_exp(first, first, prec);
        arb_mul(sum, sum, first, prec);
        if (arb_is_finite(sum))
            pby_directed_get_fmpq(chance, pby_directed_of_ball(sum, true));
        if (!arb_is_finite(sum) || fmpq_cmp_si(chance, 1) > 0)
            fmpq_one(chance);
    }
}

void pby_mechanism_twice(pby_mechanism *out, const pby_mechanism *m)
{
    const size_t count = pby_family_parameters(m->family),
                 sensitivity = pby_family_with(m->family, PBY_ROLE_SENSITIVITY);
    for (size_t i = 0; i < count; i++)
        fmpq_set(&out->value[i], &m->value[i]);
    fmpq_mul_2exp(&out->value[sensitivity], &out->value[sensitivity], 1);
}
