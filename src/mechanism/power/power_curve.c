/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "mechanism/exponential/exponential_bounded.h"
#include "mechanism/power/power.h"
#include "number/ball.h"
#include "number/scoped.h"
#include "pair/sided.h"

enum { GUARD = 32 };

struct power {
    pby_sided base;
    fmpq_t of, units; /* the length is units log(of) */
};

static void length_of(arb_t out, const struct power *c, slong prec)
{
    pby_bounded_length_ball(out, &(const pby_bounded_length){c->units, c->of}, prec);
}

/* The sign of a rational less the length. The exponential of a rational other than 0 is no rational, so that
 * they differ and some precision decides. */
static int against_length(const fmpq_t x, const struct power *c)
{
    int sign = 0;
    PBY_ARB(at, length);
    for (slong prec = PBY_PRECISION_FIRST; sign == 0; prec *= 2) {
        arb_set_fmpq(at, x, prec);
        length_of(length, c, prec);
        sign = arb_gt(at, length) ? 1 : arb_lt(at, length) ? -1 : 0;
    }
    return sign;
}

/* 1 above the interval from -length to length, -1 below, 0 inside. */
static int beside(const fmpq_t x, const struct power *c)
{
    PBY_FMPQ(size);
    fmpq_abs(size, x);
    return against_length(size, c) > 0 ? fmpq_sgn(x) : 0;
}

/* ---- the law of the loss ----------------------------------------------------------------------- */

/* At l the pair t = (l + length)/2 is the worst. */
static void weigh(arb_t weight, const struct power *c, pby_which which, const fmpq_t l, bool above,
                  slong prec)
{
    PBY_ARB(length, near);
    length_of(length, c, prec);
    arb_set_fmpq(near, l, prec + GUARD);
    if (above)
        arb_neg(near, near);
    arb_add(near, near, length, prec + GUARD);
    arb_mul_2exp_si(near, near, -1);
    pby_bounded_weight(weight, length, near, which, above, prec);
}

static bool power_side(arb_t weight, const pby_sided *curve, pby_which which, const fmpq_t l, slong prec)
{
    const struct power *c = (const struct power *)curve;
    const int place = beside(l, c);
    const bool above = fmpq_sgn(l) >= 0;
    if (place == 0)
        weigh(weight, c, which, l, above, prec);
    else
        arb_zero(weight);
    return above;
}

static void power_largest(arb_t ball, const pby_curve *curve, slong prec)
{
    length_of(ball, (const struct power *)curve, prec);
}

static void power_smallest(arb_t ball, const pby_curve *curve, slong prec)
{
    power_largest(ball, curve, prec);
    arb_neg(ball, ball);
}

/* The divergence of the pairs that the curve stands for, not of the curve itself. */
static pby_status power_renyi(arb_t ball, const pby_curve *curve, const fmpq_t order, slong prec,
                              pby_error *err)
{
    (void)err;
    PBY_ARB(length);
    length_of(length, (const struct power *)curve, prec);
    pby_bounded_divergence(ball, length, NULL, NULL, order, prec);
    return PBY_OK;
}

/* ---- the direct route -------------------------------------------------------------------------- */

/* The greatest potential is that of t = (e + length)/2, so that the ends of the interval need not be met
 * exactly. */
static pby_status greatest(arb_t ball, const struct power *c, const fmpq_t epsilon, slong prec,
                           pby_error *err)
{
    PBY_ARB(length);
    PBY_ARF(end);
    PBY_FMPQ(least, most);
    if (fmpq_sgn(epsilon) > 0)
        fmpq_set(least, epsilon);
    length_of(length, c, prec);
    arb_get_ubound_arf(end, length, PBY_PRECISION_FIRST);
    arf_get_fmpq(most, end);
    const pby_status status = pby_bounded_greatest(ball, &(const pby_bounded_length){c->units, c->of},
                                                   epsilon, least, most, prec, err);
    return status;
}

static pby_status power_direct(arb_t ball, const pby_curve *curve, const fmpq_t epsilon, slong prec,
                               pby_error *err)
{
    const struct power *c = (const struct power *)curve;
    const int place = beside(epsilon, c);
    if (place == 0)
        return greatest(ball, c, epsilon, prec, err);
    arb_zero(ball);
    if (place < 0) {
        pby_exp_fmpq(ball, epsilon, prec);
        arb_sub_ui(ball, ball, 1, prec);
        arb_neg(ball, ball);
    }
    return PBY_OK;
}

/* ---- the curve -------------------------------------------------------------------------------- */

static void power_free(pby_curve *curve)
{
    struct power *c = (struct power *)curve;
    fmpq_clear(c->of);
    fmpq_clear(c->units);
    free(c);
}

static const pby_curve_class POWER = {
    .tails = pby_sided_tails,
    .cells = pby_sided_cells,
    .renyi = power_renyi,
    .direct = power_direct,
    .largest = power_largest,
    .smallest = power_smallest,
    .free = power_free,
};

pby_status pby_power_curve(pby_curve **out, const fmpq_t base, uint64_t units, pby_error *err)
{
    *out = NULL;
    struct power *c = malloc(sizeof *c);
    if (c == NULL)
        return pby_no_memory(err);
    c->base = (pby_sided){.base.class = &POWER, .side = power_side};
    fmpq_init(c->of);
    fmpq_set(c->of, base);
    fmpq_init(c->units);
    fmpq_set_ui(c->units, units, 1);
    *out = &c->base.base;
    return PBY_OK;
}
