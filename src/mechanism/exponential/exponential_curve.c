/* SPDX-License-Identifier: MIT */
#include "mechanism/exponential/exponential_curve.h"

#include <stdlib.h>

#include "mechanism/exponential/exponential_bounded.h"
#include "number/scoped.h"
#include "pair/sided.h"

struct bounded {
    pby_sided base;
    fmpq_t eps, from, to;
};

static const struct bounded *as_bounded(const void *curve)
{
    return curve;
}

static void length_of(arb_t out, const struct bounded *b, slong prec)
{
    pby_bounded_length_ball(out, &(const pby_bounded_length){b->eps, NULL}, prec);
}

/* ---- the law of the loss ----------------------------------------------------------------------- */

/* The pair that is the worst at the loss l: t = (l + eps)/2, moved into the interval. */
static void worst_at(fmpq_t t, const struct bounded *b, const fmpq_t l)
{
    fmpq_add(t, l, b->eps);
    fmpq_div_2exp(t, t, 1);
    if (fmpq_cmp(t, b->from) < 0)
        fmpq_set(t, b->from);
    if (fmpq_cmp(t, b->to) > 0)
        fmpq_set(t, b->to);
}

static void weigh(arb_t weight, const struct bounded *b, pby_which which, const fmpq_t t, bool above,
                  slong prec)
{
    PBY_ARB(length, near);
    PBY_FMPQ(x);
    fmpq_set(x, t);
    if (above)
        fmpq_sub(x, b->eps, t);
    arb_set_fmpq(near, x, 2 * prec);
    length_of(length, b, 2 * prec);
    pby_bounded_weight(weight, length, near, which, above, prec);
}

/* The side with the smaller weight is that of the nearer end. */
static bool bounded_side(arb_t weight, const pby_sided *curve, pby_which which, const fmpq_t l, slong prec)
{
    const struct bounded *b = as_bounded(curve);
    PBY_FMPQ(t, least);
    fmpq_sub(least, b->from, b->eps);
    worst_at(t, b, l);
    fmpq_mul_2exp(t, t, 1);
    bool above = fmpq_cmp(t, b->eps) >= 0;
    fmpq_div_2exp(t, t, 1);
    if (fmpq_cmp(l, b->to) >= 0 || fmpq_cmp(l, least) < 0) {
        arb_zero(weight);
        above = fmpq_cmp(l, b->to) >= 0;
    } else {
        weigh(weight, b, which, t, above, prec);
    }
    return above;
}

static void bounded_largest(arb_t ball, const pby_curve *curve, slong prec)
{
    arb_set_fmpq(ball, as_bounded(curve)->to, prec);
}

static void bounded_smallest(arb_t ball, const pby_curve *curve, slong prec)
{
    const struct bounded *b = as_bounded(curve);
    PBY_FMPQ(least);
    fmpq_sub(least, b->from, b->eps);
    arb_set_fmpq(ball, least, prec);
}

/* The two ends have chances of their own, all between them a density. */
static bool bounded_unit(fmpq_t unit, const pby_curve *curve)
{
    const struct bounded *b = as_bounded(curve);
    PBY_FMPQ(least);
    fmpq_sub(least, b->eps, b->from);
    fmpq_gcd(unit, b->to, least);
    return fmpq_equal(b->from, b->to);
}

/* The divergence of the pairs that the curve stands for, not of the curve itself: a mechanism that has such
 * pairs is asked for theirs. */
static pby_status bounded_renyi(arb_t ball, const pby_curve *curve, const fmpq_t order, slong prec,
                                pby_error *err)
{
    (void)err;
    const struct bounded *b = as_bounded(curve);
    PBY_ARB(length);
    length_of(length, b, prec);
    pby_bounded_divergence(ball, length, b->from, b->to, order, prec);
    return PBY_OK;
}

/* ---- the direct route -------------------------------------------------------------------------- */

/* Only pairs with t - eps <= e <= t have more than their ends tell. */
static pby_status bounded_direct(arb_t ball, const pby_curve *curve, const fmpq_t epsilon, slong prec,
                                 pby_error *err)
{
    const struct bounded *b = as_bounded(curve);
    pby_status status = PBY_OK;
    PBY_FMPQ(least, most);
    fmpq_set(least, fmpq_cmp(epsilon, b->from) > 0 ? epsilon : b->from);
    fmpq_add(most, epsilon, b->eps);
    if (fmpq_cmp(most, b->to) > 0)
        fmpq_set(most, b->to);
    if (fmpq_cmp(epsilon, b->to) >= 0) {
        arb_zero(ball);
    } else if (fmpq_cmp(most, least) < 0) {
        arb_set_fmpq(ball, epsilon, 2 * prec);
        arb_expm1(ball, ball, prec);
        arb_neg(ball, ball);
    } else {
        const pby_bounded_length length = {b->eps, NULL};
        status = pby_bounded_greatest(ball, &length, epsilon, least, most, prec, err);
    }
    return status;
}

/* ---- the curve -------------------------------------------------------------------------------- */

static void bounded_free(pby_curve *curve)
{
    struct bounded *b = (struct bounded *)curve;
    fmpq_clear(b->eps);
    fmpq_clear(b->from);
    fmpq_clear(b->to);
    free(b);
}

static const pby_curve_class BOUNDED = {
    .tails = pby_sided_tails,
    .cells = pby_sided_cells,
    .renyi = bounded_renyi,
    .direct = bounded_direct,
    .largest = bounded_largest,
    .smallest = bounded_smallest,
    .unit = bounded_unit,
    .free = bounded_free,
};

pby_status pby_bounded_curve(pby_curve **out, const fmpq_t eps, const fmpq_t from, const fmpq_t to,
                             pby_error *err)
{
    *out = NULL;
    struct bounded *b = malloc(sizeof *b);
    if (b == NULL)
        return pby_no_memory(err);
    b->base = (pby_sided){.base.class = &BOUNDED, .side = bounded_side};
    fmpq_init(b->eps);
    fmpq_init(b->from);
    fmpq_init(b->to);
    fmpq_set(b->eps, eps);
    fmpq_set(b->from, from);
    fmpq_set(b->to, to);
    *out = &b->base.base;
    return PBY_OK;
}
