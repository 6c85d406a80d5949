/* SPDX-License-Identifier: MIT */
/* Reads delta at an epsilon off the values of a composition, and the reverse. */
#include "loss/adaptive/adaptive.h"
#include "number/scoped.h"

/* ball = exp(epsilon - loss i) - 1 */
static void distance(arb_t ball, const pby_values *v, const fmpq_t step, slong i, const fmpq_t epsilon)
{
    PBY_FMPQ(x);
    fmpq_mul_si(x, step, v->low + i);
    fmpq_sub(x, epsilon, x);
    arb_set_fmpq(ball, x, pby_values_precision(v));
    arb_expm1(ball, ball, pby_values_precision(v));
}

/* The fall of the function from point i, for each part of x_i that x grows by: in the cell above it, and from
 * (0, 1) to the first point for i = -1. */
static void slope(arb_t fall, const pby_values *v, const fmpq_t step, slong i)
{
    PBY_FMPZ(drop);
    if (i < 0) {
        fmpz_one_2exp(drop, (flint_bitcnt_t)v->bits);
        fmpz_sub(drop, drop, v->at);
        arb_set_fmpz(fall, drop);
    } else if (i + 1 < v->n) {
        PBY_ARB(gap);
        fmpz_sub(drop, v->at + i, v->at + i + 1);
        arb_set_fmpq(gap, step, pby_values_precision(v));
        arb_expm1(gap, gap, pby_values_precision(v));
        arb_set_fmpz(fall, drop);
        arb_div(fall, fall, gap, pby_values_precision(v));
    } else {
        arb_zero(fall);
    }
}

void pby_values_delta(arb_t delta, const pby_values *v, const fmpq_t step, const fmpq_t epsilon)
{
    PBY_FMPZ(cell);
    PBY_FMPQ(at);
    PBY_ARB(far);
    fmpq_div(at, epsilon, step);
    fmpz_fdiv_q(cell, fmpq_numref(at), fmpq_denref(at));
    fmpz_sub_si(cell, cell, v->low);
    const slong i = fmpz_sgn(cell) < 0 ? -1 : fmpz_cmp_si(cell, v->n) >= 0 ? v->n - 1 : fmpz_get_si(cell);
    distance(far, v, step, FLINT_MAX(i, 0), epsilon);
    slope(delta, v, step, i);
    arb_mul(delta, delta, far, pby_values_precision(v));
    arb_sub_fmpz(delta, delta, v->at + FLINT_MAX(i, 0), pby_values_precision(v));
    arb_neg(delta, delta);
    arb_mul_2exp_si(delta, delta, -v->bits);
}

/* The cell in which the function comes down to the level: its left point, -1 for the line from (0, 1), and
 * n - 1 where it does not. */
static slong crossing(const pby_values *v, const arb_t level)
{
    slong i = v->upper ? 0 : v->n - 1;
    PBY_ARB(x);
    for (; i >= 0 && i < v->n; i += v->upper ? 1 : -1) {
        arb_set_fmpz(x, v->at + i);
        if (v->upper ? arb_le(x, level) : arb_gt(x, level))
            break;
    }
    return v->upper ? i - 1 : i;
}

void pby_values_epsilon(arf_t epsilon, const pby_values *v, const fmpq_t step, const fmpq_t delta)
{
    const slong prec = pby_values_precision(v);
    PBY_ARB(level, root, fall);
    PBY_FMPQ(loss);
    arb_set_fmpq(level, delta, prec);
    arb_mul_2exp_si(level, level, v->bits);
    const slong i = crossing(v, level), from = FLINT_MAX(i, 0);
    slope(fall, v, step, i);
    arb_sub_fmpz(root, level, v->at + from, prec);
    arb_neg(root, root);
    arb_div(root, root, fall, prec);
    arb_log1p(root, root, prec);
    fmpq_mul_si(loss, step, v->low + from);
    arb_set_fmpq(fall, loss, prec);
    arb_add(root, root, fall, prec);
    if (i == v->n - 1)
        arf_pos_inf(epsilon);
    else if (v->upper)
        arb_get_ubound_arf(epsilon, root, prec);
    else
        arb_get_lbound_arf(epsilon, root, prec);
    if (arf_is_nan(epsilon))
        v->upper ? arf_pos_inf(epsilon) : arf_neg_inf(epsilon);
}
