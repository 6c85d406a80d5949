/* SPDX-License-Identifier: MIT */
#include "law/gauss_sum.h"
#include "number/scoped.h"

/* Bits for the rounding errors of 2^24 steps of a walk. */
enum { GUARD = 64 };

/* ---- terms ------------------------------------------------------------------------------------ */

/* exp(e), of full relative precision however large e is: its bits before the point are worked with too. */
static void exponential(arb_t out, const fmpq_t e, slong prec)
{
    const slong size = (slong)fmpz_bits(fmpq_numref(e)) - (slong)fmpz_bits(fmpq_denref(e)) + 1;
    const slong working = prec + GUARD + FLINT_MAX(size, 0);
    arb_set_fmpq(out, e, working);
    arb_exp(out, out, working);
    arb_set_round(out, out, prec);
}

void pby_gauss_term(arb_t term, const fmpq_t s, const fmpq_t x, slong prec)
{
    PBY_FMPQ(e);
    fmpq_mul(e, x, x);
    fmpq_div(e, e, s);
    fmpq_div_2exp(e, e, 1);
    fmpq_neg(e, e);
    exponential(term, e, prec);
}

void pby_gauss_reach(fmpz_t k, const fmpq_t s, slong level)
{
    PBY_FMPQ(square);
    fmpq_mul_si(square, s, 2 * level);
    fmpz_cdiv_q(k, fmpq_numref(square), fmpq_denref(square));
    fmpz_sub_ui(k, k, 1);
    fmpz_sqrt(k, k);
    fmpz_add_ui(k, k, 1);
}

void pby_gauss_walk_init(pby_gauss_walk *walk, const fmpq_t s, const fmpq_t x, slong prec)
{
    PBY_FMPQ(e);
    arb_init(walk->term);
    arb_init(walk->ratio);
    arb_init(walk->bend);
    pby_gauss_term(walk->term, s, x, prec);
    fmpq_inv(e, s);
    fmpq_neg(e, e);
    exponential(walk->bend, e, prec);
    fmpq_set_si(e, 1, 2);
    fmpq_add(e, e, x);
    fmpq_div(e, e, s);
    fmpq_neg(e, e);
    exponential(walk->ratio, e, prec);
}

void pby_gauss_walk_step(pby_gauss_walk *walk, slong prec)
{
    arb_mul(walk->term, walk->term, walk->ratio, prec);
    arb_mul(walk->ratio, walk->ratio, walk->bend, prec);
}

void pby_gauss_walk_clear(pby_gauss_walk *walk)
{
    arb_clear(walk->bend);
    arb_clear(walk->ratio);
    arb_clear(walk->term);
}

/* ---- term by term ----------------------------------------------------------------------------- */

/* The ratios of the terms fall, so that what is left from a term on is at most term/(1 - ratio).
 * Adds [0, that] when it is below 2^-prec of the sum. */
static bool add_rest(arb_t sum, const pby_gauss_walk *walk, slong prec)
{
    PBY_ARB(rest);
    PBY_MAG(most, least);
    arb_get_mag(most, walk->term);
    arb_get_mag_lower(least, sum);
    mag_mul_2exp_si(least, least, -prec);
    bool done = mag_cmp(most, least) < 0;
    if (done) {
        arb_sub_ui(rest, walk->ratio, 1, GUARD);
        arb_neg(rest, rest);
        arb_div(rest, walk->term, rest, GUARD);
        arb_get_mag(most, rest);
        done = arb_is_finite(rest) && mag_cmp(most, least) < 0;
    }
    if (done)
        arb_add_error_mag(sum, most);
    return done;
}

void pby_gauss_sum_by_terms(arb_t sum, const fmpq_t s, const fmpq_t x, slong prec)
{
    const slong working = prec + GUARD;
    pby_gauss_walk walk;
    pby_gauss_walk_init(&walk, s, x, working);
    arb_zero(sum);
    do {
        arb_add(sum, sum, walk.term, working);
        pby_gauss_walk_step(&walk, working);
    } while (!add_rest(sum, &walk, prec));
    pby_gauss_walk_clear(&walk);
}
