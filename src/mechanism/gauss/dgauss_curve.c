/* SPDX-License-Identifier: MIT */
#include "mechanism/gauss/dgauss_curve.h"
#include "number/scoped.h"

#include <stdlib.h>

/* GUARD bits cover what a walk of WALK_MAX steps loses. A walk is preferred to a sum at every end of a
 * cell up to STEPS_PER_CELL outcomes a cell. */
enum { GUARD = 64, STEPS_PER_CELL = 256, WALK_MAX = 1 << 24 };

static const pby_dgauss *as_dgauss(const void *curve)
{
    return curve;
}

/* ---- tails ------------------------------------------------------------------------------------ */

static bool dgauss_side(arb_t weight, const pby_sided *curve, pby_which which, const fmpq_t t, slong prec)
{
    const pby_dgauss *d = as_dgauss(curve);
    PBY_FMPQ(x);
    PBY_FMPZ(c);
    pby_dgauss_edge(c, d, t);
    if (which == PBY_Q)
        fmpz_sub(c, c, d->shift);
    const bool above = fmpz_sgn(c) < 0;
    if (above)
        fmpz_neg(c, c);
    else
        fmpz_add_ui(c, c, 1);
    fmpq_set_fmpz(x, c);
    pby_gauss_sum(weight, d->sigma2, x, prec);
    return above;
}

static void dgauss_total(arb_t weight, const pby_sided *curve, slong prec)
{
    pby_gauss_total(weight, as_dgauss(curve)->sigma2, prec);
}

/* ---- cells ------------------------------------------------------------------------------------ */

/* One pass over the outcomes, from the least loss, at the greatest k, upwards. */
static void walk_cells(arb_ptr cell, const pby_dgauss *d, pby_which which, const fmpq_t from,
                       const fmpq_t step, slong n, slong prec)
{
    pby_gauss_walk walk;
    PBY_ARB(total);
    PBY_FMPQ(t);
    PBY_FMPZ(k, end);
    pby_gauss_total(total, d->sigma2, prec);
    fmpq_set(t, from);
    pby_dgauss_edge(k, d, t);
    pby_dgauss_walk(&walk, d, which, k, prec);
    for (slong i = 0; i < n; i++) {
        fmpq_add(t, t, step);
        pby_dgauss_edge(end, d, t);
        arb_zero(cell + i);
        for (; fmpz_cmp(k, end) > 0; fmpz_sub_ui(k, k, 1)) {
            arb_add(cell + i, cell + i, walk.term, prec);
            pby_gauss_walk_step(&walk, prec);
        }
        arb_div(cell + i, cell + i, total, prec);
    }
    pby_gauss_walk_clear(&walk);
}

/* True if a walk over all the cells is short. */
static bool few_outcomes(const pby_dgauss *d, const fmpq_t from, const fmpq_t step, slong n)
{
    PBY_FMPQ(t);
    PBY_FMPZ(k, end);
    pby_dgauss_edge(k, d, from);
    fmpq_mul_si(t, step, n);
    fmpq_add(t, t, from);
    pby_dgauss_edge(end, d, t);
    fmpz_sub(k, k, end);
    return fmpz_cmp_si(k, FLINT_MIN(STEPS_PER_CELL * n, WALK_MAX)) <= 0;
}

static pby_status dgauss_cells(arb_ptr p, arb_ptr q, const pby_curve *curve, const fmpq_t from,
                               const fmpq_t step, slong n, slong prec, pby_error *err)
{
    const pby_dgauss *d = as_dgauss(curve);
    if (!few_outcomes(d, from, step, n))
        return pby_sided_cells(p, q, curve, from, step, n, prec, err);
    walk_cells(p, d, PBY_P, from, step, n, prec + GUARD);
    walk_cells(q, d, PBY_Q, from, step, n, prec + GUARD);
    return PBY_OK;
}

/* ---- Renyi ------------------------------------------------------------------------------------ */

/* out = the sum over all integers of f(k + x), over the sum of f(k), for 0 < x < 1. */
static void shifted_total(arb_t out, const fmpq_t s, const fmpq_t x, slong prec)
{
    PBY_ARB(part);
    PBY_FMPQ(y);
    pby_gauss_sum(out, s, x, prec);
    fmpq_one(y);
    fmpq_sub(y, y, x);
    pby_gauss_sum(part, s, y, prec);
    arb_add(out, out, part, prec);
    pby_gauss_total(part, s, prec);
    arb_div(out, out, part, prec);
}

/* Completing the square: D_a = a D^2/(2s) + log(N((a-1) D)/N(0)) / (a-1), N(x) the sum of f(k + x) over
 * all integers k. The second part is 0 where (a-1) D is an integer, and for a = 1. */
static pby_status dgauss_renyi(arb_t ball, const pby_curve *curve, const fmpq_t order, slong prec,
                               pby_error *err)
{
    (void)err;
    const pby_dgauss *d = as_dgauss(curve);
    PBY_FMPQ(lead, less, x);
    PBY_FMPZ(whole);
    PBY_ARB(rest);
    fmpq_mul_fmpz(lead, order, d->shift);
    fmpq_mul_fmpz(lead, lead, d->shift);
    fmpq_div(lead, lead, d->sigma2);
    fmpq_div_2exp(lead, lead, 1);
    arb_set_fmpq(ball, lead, prec);
    fmpq_sub_si(less, order, 1);
    fmpq_mul_fmpz(x, less, d->shift);
    fmpz_fdiv_q(whole, fmpq_numref(x), fmpq_denref(x));
    fmpq_sub_fmpz(x, x, whole);
    if (!fmpq_is_zero(x)) {
        shifted_total(rest, d->sigma2, x, prec);
        arb_log(rest, rest, prec);
        arb_div_fmpz(rest, rest, fmpq_numref(less), prec);
        arb_mul_fmpz(rest, rest, fmpq_denref(less), prec);
        arb_add(ball, ball, rest, prec);
    }
    return PBY_OK;
}

static void dgauss_largest(arb_t ball, const pby_curve *curve, slong prec)
{
    (void)curve;
    (void)prec;
    arb_pos_inf(ball);
}

/* The loss of an outcome k is D (D - 2k) / (2s), and D - 2k is every integer of D's parity. */
static bool dgauss_unit(fmpq_t unit, const pby_curve *curve)
{
    const pby_dgauss *d = as_dgauss(curve);
    fmpq_set_fmpz(unit, d->shift);
    fmpq_div(unit, unit, d->sigma2);
    if (fmpz_is_odd(d->shift))
        fmpq_div_2exp(unit, unit, 1);
    return true;
}

/* D^2/(2s): N is greatest at the integers, so that D_a <= a D^2/(2s), with equality at integer orders
 * (docs/theory/zcdp.md). */
static void dgauss_rho(fmpq_t rho, const pby_curve *curve)
{
    const pby_dgauss *d = as_dgauss(curve);
    fmpq_set_fmpz(rho, d->shift);
    fmpq_mul_fmpz(rho, rho, d->shift);
    fmpq_div(rho, rho, d->sigma2);
    fmpq_div_2exp(rho, rho, 1);
}

static void dgauss_free(pby_curve *curve)
{
    pby_dgauss *d = (pby_dgauss *)curve;
    fmpq_clear(d->sigma2);
    fmpz_clear(d->shift);
    free(d);
}

static const pby_curve_class DGAUSS = {
    .tails = pby_sided_tails,
    .cells = dgauss_cells,
    .renyi = dgauss_renyi,
    .direct = pby_dgauss_direct,
    .largest = dgauss_largest,
    .unit = dgauss_unit,
    .rho = dgauss_rho,
    .free = dgauss_free,
};

bool pby_dgauss_tractable(const fmpq_t sigma2)
{
    enum { BITS = 1 << 13 };
    PBY_FMPQ(most, size);
    fmpz_one_2exp(fmpq_numref(most), BITS);
    fmpq_set(size, sigma2);
    if (fmpq_cmp_si(sigma2, 1) < 0)
        fmpq_inv(size, sigma2);
    return fmpq_cmp(size, most) <= 0;
}

pby_status pby_dgauss_curve(pby_curve **out, const fmpq_t sigma2, const fmpz_t shift, pby_error *err)
{
    *out = NULL;
    pby_dgauss *d = malloc(sizeof *d);
    if (d == NULL)
        return pby_no_memory(err);
    d->base = (pby_sided){.base.class = &DGAUSS, .side = dgauss_side, .total = dgauss_total};
    fmpq_init(d->sigma2);
    fmpq_set(d->sigma2, sigma2);
    fmpz_init_set(d->shift, shift);
    *out = &d->base.base;
    return PBY_OK;
}
