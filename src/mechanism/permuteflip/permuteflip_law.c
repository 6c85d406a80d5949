/* SPDX-License-Identifier: MIT */
/* The exact law of a choice by permute-and-flip, and how much worse than the best it may be. */
#include "mechanism/permuteflip/permuteflip.h"
#include "number/scoped.h"

enum { GUARD = 64 };

static void heads_of(arb_t p, const fmpq *fall, slong prec)
{
    PBY_FMPQ(minus);
    fmpq_neg(minus, fall);
    arb_set_fmpq(p, minus, prec + (slong)fmpz_bits(fmpq_numref(minus)));
    arb_exp(p, p, prec);
}

/* p_h times the integral over u from 0 to 1 of the product over all others of 1 - u p_s: with k others that
 * show heads the share is 1/(k + 1), the integral of (1 - u)^k. */
void pby_flip_chance(arb_t chance, const fmpq *fall, size_t candidates, size_t candidate, slong prec)
{
    const slong n = (slong)candidates, working = prec + GUARD + 2 * n;
    arb_ptr coefficient = _arb_vec_init(n);
    slong degree = 0;
    PBY_ARB(p);
    arb_one(coefficient);
    for (slong s = 0; s < n; s++) {
        if (s == (slong)candidate)
            continue;
        heads_of(p, fall + s, working);
        degree++;
        for (slong k = degree; k > 0; k--)
            arb_submul(coefficient + k, p, coefficient + k - 1, working);
    }
    arb_zero(chance);
    for (slong k = 0; k <= degree; k++) {
        arb_div_si(coefficient + k, coefficient + k, k + 1, working);
        arb_add(chance, chance, coefficient + k, working);
    }
    heads_of(p, fall + candidate, working);
    arb_mul(chance, chance, p, prec);
    _arb_vec_clear(coefficient, n);
}

/* One best and all others just farther than beta below it: 1 - (1 - (1 - r)^n)/(n r), r = exp(-rate beta). */
pby_status pby_flip_worse(arb_t chance, const pby_mechanism *m, uint64_t candidates, const fmpq_t beta,
                          slong prec, pby_error *err)
{
    (void)err;
    PBY_FMPQ(fall);
    PBY_ARB(r, none);
    m->family->rate(fall, m);
    fmpq_mul(fall, fall, beta);
    heads_of(r, fall, prec);
    if (fmpq_is_zero(fall)) {
        arb_one(chance);
    } else {
        arb_neg(none, r);
        arb_log1p(none, none, prec);
        arb_mul_ui(none, none, candidates, prec);
        arb_expm1(none, none, prec);
        arb_neg(chance, none);
    }
    arb_div_ui(chance, chance, candidates, prec);
    arb_div(chance, chance, r, prec);
    arb_sub_ui(chance, chance, 1, prec);
    arb_neg(chance, chance);
    return PBY_OK;
}

/* With w = exp(-s) and t = (1 - w)^(candidates-1): 1 - (1 - (1-w) t)/(candidates w), and -(1 - P - t). */
void pby_flip_level(arb_t chance, arb_t slope, uint64_t candidates, const arb_t s, slong prec)
{
    PBY_ARB(w, rest);
    arb_neg(w, s);
    arb_exp(w, w, prec);
    arb_sub_ui(rest, w, 1, prec);
    arb_neg(rest, rest);
    arb_pow_ui(slope, rest, candidates - 1, prec);
    arb_mul(chance, rest, slope, prec);
    arb_sub_ui(chance, chance, 1, prec);
    arb_div(chance, chance, w, prec);
    arb_div_ui(chance, chance, candidates, prec);
    arb_add_ui(chance, chance, 1, prec);
    arb_add(slope, slope, chance, prec);
    arb_sub_ui(slope, slope, 1, prec);
}
