/* SPDX-License-Identifier: MIT */
#include "mechanism/gauss/gauss_integral.h"

#include <stdbool.h>

#include "number/integral.h"
#include "number/scoped.h"

/* z/s, 1/(2s), D/s and D (c - z)/s. */
struct rates {
    arb_t slope, bend, gap, lead;
};

static void rates_init(struct rates *r, const fmpq_t c, const fmpq_t z, const fmpq_t sigma2,
                       const fmpq_t shift, slong prec)
{
    PBY_FMPQ(rate);
    arb_init(r->slope);
    arb_init(r->bend);
    arb_init(r->gap);
    arb_init(r->lead);
    fmpq_div(rate, z, sigma2);
    arb_set_fmpq(r->slope, rate, prec);
    fmpq_inv(rate, sigma2);
    arb_set_fmpq(r->bend, rate, prec);
    arb_mul_2exp_si(r->bend, r->bend, -1);
    fmpq_mul(rate, rate, shift);
    arb_set_fmpq(r->gap, rate, prec);
    arb_set_fmpq(r->lead, rate, prec);
    fmpq_sub(rate, c, z);
    arb_mul_fmpz(r->lead, r->lead, fmpq_numref(rate), prec);
    arb_div_fmpz(r->lead, r->lead, fmpq_denref(rate), prec);
}

static void rates_clear(struct rates *r)
{
    arb_clear(r->lead);
    arb_clear(r->gap);
    arb_clear(r->bend);
    arb_clear(r->slope);
}

/* p(z - y)/p(z) */
static void density(acb_t value, const acb_t y, const struct rates *r, slong prec)
{
    PBY_ACB(slope);
    acb_mul_arb(slope, y, r->slope, prec);
    acb_mul(value, y, y, prec);
    acb_mul_arb(value, value, r->bend, prec);
    acb_sub(value, slope, value, prec);
    acb_exp(value, value, prec);
}

static void excess(acb_t value, const acb_t y, const void *what, slong prec)
{
    const struct rates *r = what;
    PBY_ACB(part);
    acb_mul_arb(part, y, r->gap, prec);
    acb_add_arb(part, part, r->lead, prec);
    acb_neg(part, part);
    acb_expm1(part, part, prec);
    acb_neg(part, part);
    density(value, y, r, prec);
    acb_mul(value, value, part, prec);
}

/* ball +- the integral of the density from y on, away from x = 0: at most its value there times half of
 * sqrt(2 pi s), which is sqrt(pi/bend)/2. */
static void add_beyond(arb_t ball, const fmpq_t y, const struct rates *r)
{
    enum { PREC = 64 };
    PBY_ACB(at);
    PBY_ARB(half);
    PBY_MAG(most);
    arb_set_fmpq(acb_realref(at), y, PREC);
    density(at, at, r, PREC);
    arb_const_pi(half, PREC);
    arb_div(half, half, r->bend, PREC);
    arb_sqrt(half, half, PREC);
    arb_mul_2exp_si(half, half, -1);
    arb_mul(half, half, acb_realref(at), PREC);
    arb_get_mag(most, half);
    arb_add_error_mag(ball, most);
}

/* Some k with x < 2^k, and not by much. */
static slong bits_of(const fmpq_t x)
{
    return (slong)fmpz_bits(fmpq_numref(x)) - (slong)fmpz_bits(fmpq_denref(x)) + 1;
}

/* A power of two w so far from z that the density is below 2^-prec there: w^2 >= 2 s prec, or |z| w >= s
 * prec. */
static void set_reach(fmpq_t w, const fmpq_t z, const fmpq_t sigma2, slong prec)
{
    fmpq_mul_si(w, sigma2, 2 * prec);
    slong k = (bits_of(w) + 1) >> 1;
    if (!fmpq_is_zero(z)) {
        fmpq_div(w, w, z);
        fmpq_abs(w, w);
        k = FLINT_MIN(k, bits_of(w) - 1);
    }
    fmpq_one(w);
    if (k >= 0)
        fmpq_mul_2exp(w, w, (ulong)k);
    else
        fmpq_div_2exp(w, w, (ulong)-k);
}

/* From x = min(c, w) down to z - w; what is left out lies between 0 and p. */
static void integrate(arb_t ball, const fmpq_t c, const fmpq_t w, const struct rates *r, slong prec)
{
    const bool cut = fmpq_cmp(c, w) > 0;
    PBY_FMPQ(from);
    if (fmpq_sgn(c) > 0)
        fmpq_neg(from, cut ? w : c);
    pby_integral(ball, excess, r, from, w, prec);
    add_beyond(ball, w, r);
    if (cut)
        add_beyond(ball, from, r);
}

/* p(z) = exp(-z^2/(2s)) / sqrt(2 pi s) */
static void peak(arb_t ball, const fmpq_t z, const fmpq_t sigma2, slong prec)
{
    PBY_FMPQ(x);
    PBY_ARB(height, pi);
    fmpq_mul(x, z, z);
    fmpq_div(x, x, sigma2);
    fmpq_div_2exp(x, x, 1);
    fmpq_neg(x, x);
    arb_set_fmpq(ball, x, 2 * prec);
    arb_exp(ball, ball, prec);
    fmpq_mul_2exp(x, sigma2, 1);
    arb_set_fmpq(height, x, 2 * prec);
    arb_const_pi(pi, prec);
    arb_mul(height, height, pi, prec);
    arb_rsqrt(height, height, prec);
    arb_mul(ball, ball, height, prec);
}

void pby_gauss_integral(arb_t ball, const fmpq_t sigma2, const fmpq_t shift, const fmpq_t epsilon, slong prec)
{
    struct rates r;
    PBY_FMPQ(c, z, w);
    PBY_ARB(height);
    fmpq_mul(w, sigma2, epsilon);
    fmpq_div(w, w, shift);
    fmpq_div_2exp(c, shift, 1);
    fmpq_sub(c, c, w);
    if (fmpq_sgn(c) < 0)
        fmpq_set(z, c);
    set_reach(w, z, sigma2, prec);
    rates_init(&r, c, z, sigma2, shift, 2 * prec);
    integrate(ball, c, w, &r, prec);
    peak(height, z, sigma2, prec);
    arb_mul(ball, ball, height, prec);
    rates_clear(&r);
}
