/* SPDX-License-Identifier: MIT */
#include "mechanism/laplace/laplace_curve.h"

#include <stdlib.h>

#include "number/ball.h"
#include "number/integral.h"
#include "number/scoped.h"
#include "pair/sided.h"

struct laplace {
    pby_sided base;
    fmpq_t m;
};

static const struct laplace *as_laplace(const void *curve)
{
    return curve;
}

static bool laplace_side(arb_t weight, const pby_sided *curve, pby_which which, const fmpq_t t, slong prec)
{
    const struct laplace *l = as_laplace(curve);
    PBY_FMPQ(x);
    fmpq_neg(x, l->m);
    const bool least = fmpq_cmp(t, x) < 0, most = fmpq_cmp(t, l->m) >= 0;
    if (least || most) {
        arb_zero(weight);
    } else {
        if (which == PBY_P)
            fmpq_sub(x, t, l->m);
        else
            fmpq_sub(x, x, t);
        fmpq_div_2exp(x, x, 1);
        pby_exp_fmpq(weight, x, prec);
        arb_mul_2exp_si(weight, weight, -1);
    }
    return most || (!least && which == PBY_Q);
}

/* log((a exp((a-1) m) + (a-1) exp(-a m)) / (2a-1)) / (a-1), and m - 1 + exp(-m) for a = 1. */
static pby_status laplace_renyi(arb_t ball, const pby_curve *curve, const fmpq_t order, slong prec,
                                pby_error *err)
{
    (void)err;
    const fmpq *m = as_laplace(curve)->m;
    PBY_ARB(a, less, part);
    PBY_FMPQ(x);
    arb_set_fmpq(a, order, prec);
    fmpq_sub_si(x, order, 1);
    arb_set_fmpq(less, x, prec);
    fmpq_mul(x, x, m);
    pby_exp_fmpq(ball, x, prec);
    fmpq_mul(x, order, m);
    fmpq_neg(x, x);
    pby_exp_fmpq(part, x, prec);
    if (fmpq_is_one(order)) {
        arb_set_fmpq(ball, m, prec);
        arb_sub_ui(ball, ball, 1, prec);
        arb_add(ball, ball, part, prec);
    } else {
        arb_mul(ball, ball, a, prec);
        arb_addmul(ball, part, less, prec);
        arb_add(a, a, less, prec);
        arb_div(ball, ball, a, prec);
        arb_log(ball, ball, prec);
        arb_div(ball, ball, less, prec);
    }
    return PBY_OK;
}

static void laplace_largest(arb_t ball, const pby_curve *curve, slong prec)
{
    arb_set_fmpq(ball, as_laplace(curve)->m, prec);
}

/* The two ends have chances of their own, and all between them has a density. */
static bool laplace_unit(fmpq_t unit, const pby_curve *curve)
{
    fmpq_set(unit, as_laplace(curve)->m);
    return false;
}

/* ---- the direct route ------------------------------------------------------------------------- */

/* Twice the excess at 0 <= x <= m, where p = exp(e) q at c: exp(-x) (1 - exp(2(x - c))). */
static void excess(acb_t value, const acb_t x, const void *c, slong prec)
{
    PBY_ACB(other);
    acb_sub_arb(other, x, c, prec);
    acb_mul_2exp_si(other, other, 1);
    acb_expm1(other, other, prec);
    acb_neg(value, x);
    acb_exp(value, value, prec);
    acb_mul(value, value, other, prec);
    acb_neg(value, value);
}

/* The excess between 0 and m: up to c = (m - e)/2, where it ends, or to m. Beyond x = prec lies
 * less than exp(-prec) of P. */
static void middle(arb_t ball, const fmpq_t m, const fmpq_t epsilon, slong prec)
{
    PBY_FMPQ(c, end, zero);
    PBY_ARB(at);
    fmpq_sub(c, m, epsilon);
    fmpq_div_2exp(c, c, 1);
    arb_set_fmpq(at, c, 2 * prec);
    fmpq_set(end, fmpq_cmp(c, m) < 0 ? c : m);
    const bool cut = fmpq_cmp_si(end, prec) > 0;
    if (cut)
        fmpq_set_si(end, prec, 1);
    pby_integral(ball, excess, at, zero, end, prec);
    if (cut)
        arb_add_error_2exp_si(ball, -prec);
    arb_mul_2exp_si(ball, ball, -1);
}

/* ball += chance (1 - exp(e - loss)), the excess where the loss is constant. */
static void add_side(arb_t ball, const arb_t chance, const fmpq_t epsilon, const fmpq_t loss, slong prec)
{
    PBY_FMPQ(above);
    PBY_ARB(part);
    fmpq_sub(above, epsilon, loss);
    arb_set_fmpq(part, above, 2 * prec);
    arb_expm1(part, part, prec);
    arb_submul(ball, part, chance, prec);
}

/* Half of P lies below 0, where the densities have the ratio exp(m), and exp(-m)/2 of it above m. */
static pby_status laplace_direct(arb_t ball, const pby_curve *curve, const fmpq_t epsilon, slong prec,
                                 pby_error *err)
{
    (void)err;
    const fmpq *m = as_laplace(curve)->m;
    if (fmpq_cmp(epsilon, m) >= 0) {
        arb_zero(ball);
        return PBY_OK;
    }
    PBY_ARB(chance);
    PBY_FMPQ(least);
    fmpq_neg(least, m);
    middle(ball, m, epsilon, prec);
    arb_one(chance);
    arb_mul_2exp_si(chance, chance, -1);
    add_side(ball, chance, epsilon, m, prec);
    if (fmpq_cmp(epsilon, least) < 0) {
        pby_exp_fmpq(chance, least, prec);
        arb_mul_2exp_si(chance, chance, -1);
        add_side(ball, chance, epsilon, least, prec);
    }
    return PBY_OK;
}

/* ---- the curve -------------------------------------------------------------------------------- */

static void laplace_free(pby_curve *curve)
{
    struct laplace *l = (struct laplace *)curve;
    fmpq_clear(l->m);
    free(l);
}

static const pby_curve_class LAPLACE = {
    .tails = pby_sided_tails,
    .cells = pby_sided_cells,
    .renyi = laplace_renyi,
    .direct = laplace_direct,
    .largest = laplace_largest,
    .unit = laplace_unit,
    .free = laplace_free,
};

pby_status pby_laplace_curve(pby_curve **out, const fmpq_t m, pby_error *err)
{
    *out = NULL;
    struct laplace *l = malloc(sizeof *l);
    if (l == NULL)
        return pby_no_memory(err);
    l->base = (pby_sided){.base.class = &LAPLACE, .side = laplace_side};
    fmpq_init(l->m);
    fmpq_set(l->m, m);
    *out = &l->base.base;
    return PBY_OK;
}
