/* SPDX-License-Identifier: MIT */
#include "loss/divergence/chord.h"
#include "number/scoped.h"

#include <stdbool.h>

void pby_raise_upper(arf_t x, const arb_t ball, slong prec)
{
    PBY_ARF(end);
    arb_get_ubound_arf(end, ball, prec);
    if (arf_is_nan(end))
        arf_pos_inf(end);
    if (arf_cmp(end, x) > 0)
        arf_set(x, end);
}

/* Raises bound to k / (a (a-1)). */
static void raise_quotient(arf_t bound, const arb_t k, const fmpq_t a, slong prec)
{
    PBY_ARB(q, below);
    PBY_FMPQ(x);
    fmpq_sub_si(x, a, 1);
    fmpq_mul(x, x, a);
    arb_set_fmpq(below, x, prec);
    arb_div(q, k, below, prec);
    pby_raise_upper(bound, q, prec);
}

static void slope_between(arb_t slope, const fmpq_t x, const fmpq_t y, const arb_t kx, const arb_t ky,
                          slong prec)
{
    PBY_ARB(width);
    PBY_FMPQ(w);
    fmpq_sub(w, y, x);
    arb_set_fmpq(width, w, prec);
    arb_sub(slope, ky, kx, prec);
    arb_div(slope, slope, width, prec);
}

/* The chord's slope, and the order at which it crosses zero. */
static void chord(arb_t slope, arb_t cross, const fmpq_t x, const fmpq_t y, const arb_t kx, const arb_t ky,
                  slong prec)
{
    PBY_ARB(at);
    slope_between(slope, x, y, kx, ky, prec);
    arb_div(cross, kx, slope, prec);
    arb_set_fmpq(at, x, prec);
    arb_sub(cross, at, cross, prec);
}

static bool may_lie_between(const arb_t order, const fmpq_t x, const fmpq_t y, slong prec)
{
    PBY_ARB(from, to);
    arb_set_fmpq(from, x, prec);
    arb_set_fmpq(to, y, prec);
    const bool outside = arb_lt(order, from) || arb_gt(order, to);
    return !outside;
}

static void raise_summit(arf_t bound, const fmpq_t x, const fmpq_t y, const arb_t kx, const arb_t ky,
                         slong prec)
{
    PBY_ARB(slope, c, order);
    chord(slope, c, x, y, kx, ky, prec);
    arb_sub_ui(order, c, 1, prec);
    arb_mul(order, order, c, prec);
    arb_sqrtpos(order, order, prec);
    arb_add(order, order, c, prec);
    if (may_lie_between(order, x, y, prec)) {
        arb_mul_2exp_si(order, order, 1);
        arb_sub_ui(order, order, 1, prec);
        arb_div(slope, slope, order, prec);
        pby_raise_upper(bound, slope, prec);
    }
}

/* k -= bend a (a-1) */
static void straighten(arb_t k, const fmpq_t a, const arf_t bend, slong prec)
{
    PBY_ARB(x);
    PBY_FMPQ(y);
    fmpq_sub_si(y, a, 1);
    fmpq_mul(y, y, a);
    arb_set_fmpq(x, y, prec);
    arb_mul_arf(x, x, bend, prec);
    arb_sub(k, k, x, prec);
}

/* The line through (1, 0) and (y, ky), over a (a-1): its slope at 1, and its quotient at y. */
static void raise_from_one(arf_t bound, const fmpq_t y, const arb_t ky, slong prec)
{
    PBY_ARB(slope, width);
    PBY_FMPQ(x);
    fmpq_sub_si(x, y, 1);
    arb_set_fmpq(width, x, prec);
    arb_div(slope, ky, width, prec);
    pby_raise_upper(bound, slope, prec);
    raise_quotient(bound, ky, y, prec);
}

void pby_chord_bound(arf_t bound, const fmpq_t x, const fmpq_t y, const arb_t kx, const arb_t ky,
                     const arf_t bend, slong prec)
{
    PBY_ARB(lx, ly);
    PBY_ARF(most);
    arb_set(lx, kx);
    arb_set(ly, ky);
    straighten(lx, x, bend, prec);
    straighten(ly, y, bend, prec);
    arf_neg_inf(most);
    if (fmpq_is_one(x)) {
        raise_from_one(most, y, ly, prec);
    } else {
        raise_quotient(most, lx, x, prec);
        raise_quotient(most, ly, y, prec);
        /* a line that is nowhere positive has no summit */
        if (!(arb_is_nonpositive(lx) && arb_is_nonpositive(ly)))
            raise_summit(most, x, y, lx, ly, prec);
    }
    arb_set_arf(lx, most);
    arb_set_arf(ly, bend);
    arb_add(lx, lx, ly, prec);
    pby_raise_upper(bound, lx, prec);
}

void pby_chord_bend(arb_t half, const fmpq_t x, const fmpq_t m, const fmpq_t y, const arb_t kx,
                    const arb_t km, const arb_t ky, slong prec)
{
    PBY_ARB(left, right);
    slope_between(left, x, m, kx, km, prec);
    slope_between(right, m, y, km, ky, prec);
    slope_between(half, x, y, left, right, prec);
}
