/* SPDX-License-Identifier: MIT */
#include "law/gauss_sum.h"

#include <bernoulli.h>

#include "number/erfc.h"
#include "number/scoped.h"

/* Below INTEGRAL_FROM a sum has few terms. */
enum { GUARD = 64, INTEGRAL_FROM = 256, SIZE_BITS = 128 };

/* The factors of the bounds on a remainder: near >= 4 sqrt(pi s), far >= 8 s/x, part >= 1/(39 s), square >=
 * x^2/s. */
struct remainder {
    mag_t near, far, part, square;
    slong size;  /* s < 2^size */
    slong whole; /* of x^2/s, as far as that matters */
};

static void remainder_init(struct remainder *r, const fmpq_t s, const fmpq_t x, slong prec)
{
    PBY_ARB(ball);
    PBY_FMPQ(e);
    PBY_FMPZ(whole);
    mag_init(r->near);
    mag_init(r->far);
    mag_init(r->part);
    mag_init(r->square);
    arb_const_pi(ball, GUARD);
    arb_mul_fmpz(ball, ball, fmpq_numref(s), GUARD);
    arb_div_fmpz(ball, ball, fmpq_denref(s), GUARD);
    arb_sqrt(ball, ball, GUARD);
    arb_mul_2exp_si(ball, ball, 2);
    arb_get_mag(r->near, ball);
    fmpq_inv(e, s);
    arb_set_fmpq(ball, e, GUARD);
    arb_div_ui(ball, ball, 39, GUARD);
    arb_get_mag(r->part, ball);
    fmpq_div(e, x, s);
    arb_set_fmpq(ball, e, GUARD);
    arb_ui_div(ball, 8, ball, GUARD);
    arb_get_mag(r->far, ball);
    fmpq_mul(e, e, x);
    arb_set_fmpq(ball, e, GUARD);
    arb_get_mag(r->square, ball);
    fmpz_fdiv_q(whole, fmpq_numref(e), fmpq_denref(e));
    r->whole = fmpz_cmp_si(whole, 3 * prec) < 0 ? fmpz_get_si(whole) : 3 * prec;
    r->size = (slong)fmpz_bits(fmpq_numref(s)) - (slong)fmpz_bits(fmpq_denref(s)) + 1;
}

static void remainder_clear(struct remainder *r)
{
    mag_clear(r->square);
    mag_clear(r->part);
    mag_clear(r->far);
    mag_clear(r->near);
}

/* Returns the number of corrections that make the remainder less than 2^-prec f(x), and sets bound to that
 * bound on the remainder over f(x); returns 0 when no reasonable number does. After m of them it is at most
 *     4 sqrt(pi s) exp(x^2/(4s)) (2m)/(39 s) (2m-2)/(39 s) ... 2/(39 s). */
static slong corrections_near(mag_t bound, const struct remainder *r, slong prec)
{
    const slong size = FLINT_MIN(r->size, SIZE_BITS),
                most = prec / 16 + size * size / 4; /* more would not pay */
    mag_mul_2exp_si(bound, r->square, -2);
    mag_exp(bound, bound);
    mag_mul(bound, bound, r->near);
    const bool hopeless = mag_cmp_2exp_si(bound, most * (r->size + 5)) > 0; /* 39 s/2 < 2^(size + 5) */
    for (slong m = 1; m <= most && !hopeless; m++) {
        mag_mul(bound, bound, r->part);
        mag_mul_ui(bound, bound, (ulong)(2 * m));
        if (mag_cmp_2exp_si(bound, -prec) < 0)
            return m;
    }
    return 0;
}

/* Does the work of corrections_near far out. While 3m <= x^2/s the remainder is at most
 *     8 (s/x) ((x^2/s + m)/(39 s))^m f(x). */
static slong corrections_far(mag_t bound, const struct remainder *r, slong prec)
{
    for (slong m = 1; 3 * m <= r->whole; m++) {
        mag_add_ui(bound, r->square, (ulong)m);
        mag_mul(bound, bound, r->part);
        mag_pow_ui(bound, bound, (ulong)m);
        mag_mul(bound, bound, r->far);
        if (mag_cmp_2exp_si(bound, -prec) < 0)
            return m;
    }
    return 0;
}

static slong corrections(mag_t bound, const fmpq_t s, const fmpq_t x, slong prec)
{
    struct remainder r;
    remainder_init(&r, s, x, prec);
    slong m = corrections_near(bound, &r, prec);
    if (m == 0)
        m = corrections_far(bound, &r, prec);
    remainder_clear(&r);
    return m;
}

/* out = 1/2 + sum over i = 1 .. m of B(2i)/(2i)! h(2i-1), where h(n) f(x) is the n-th derivative of f at
 * x but for the sign: h(0) = 1, h(1) = x/s, h(n+1) = (x h(n) - n h(n-1))/s. */
static void correct(arb_t out, const fmpq_t s, const fmpq_t x, slong m, slong prec)
{
    PBY_ARB(before, here, next, slope, spread, factor);
    PBY_FMPQ(b);
    fmpq_div(b, x, s);
    arb_set_fmpq(slope, b, prec);
    fmpq_inv(b, s);
    arb_set_fmpq(spread, b, prec);
    arb_one(before);
    arb_set(here, slope);
    arb_one(factor);
    arb_mul_2exp_si(out, factor, -1);
    bernoulli_cache_compute(2 * m + 1);
    for (slong i = 1; i <= m; i++) {
        arb_div_ui(factor, factor, (ulong)(2 * i) * (ulong)(2 * i - 1), prec); /* 1/(2i)! */
        bernoulli_fmpq_ui(b, (ulong)(2 * i));
        arb_set_fmpq(next, b, prec);
        arb_mul(next, next, factor, prec);
        arb_addmul(out, next, here, prec);
        for (slong n = 2 * i - 1; n <= 2 * i; n++) {
            arb_mul(next, slope, here, prec);
            arb_mul(before, before, spread, prec);
            arb_mul_si(before, before, n, prec);
            arb_sub(next, next, before, prec);
            arb_swap(before, here);
            arb_swap(here, next);
        }
    }
}

/* The integral of f from x on: sqrt(pi s/2) erfc(x/sqrt(2s)). */
static void integral_near(arb_t out, const fmpq_t s, const fmpq_t x, slong prec)
{
    PBY_ARB(root);
    PBY_FMPQ(t);
    fmpq_mul_2exp(t, s, 1);
    arb_set_fmpq(root, t, prec);
    arb_sqrt(root, root, prec);
    arb_set_fmpq(out, x, prec);
    arb_div(out, out, root, prec);
    pby_erfc(out, out, prec);
    arb_mul(out, out, root, prec);
    arb_const_sqrt_pi(root, prec);
    arb_mul(out, out, root, prec);
    arb_mul_2exp_si(out, out, -1);
}

/* The integral for x^2 >= 4 prec s: (s/x) f(x) (1 - u + 3 u^2 - 3*5 u^3 + ...), u = s/x^2 <= 1/(4 prec). The
 * truth lies between any two partial sums in a row, and each of the first prec terms is at most half of the
 * one before. */
static void integral_far(arb_t out, const fmpq_t s, const fmpq_t x, const arb_t f, slong prec)
{
    PBY_ARB(u, term);
    PBY_FMPQ(t);
    PBY_MAG(rest, least);
    fmpq_div(t, s, x);
    arb_set_fmpq(term, t, prec);
    arb_mul(term, term, f, prec);
    arb_get_mag_lower(least, term);
    mag_mul_2exp_si(least, least, -prec);
    fmpq_div(t, t, x);
    arb_set_fmpq(u, t, prec);
    arb_zero(out);
    for (slong n = 1; n <= prec; n++) {
        arb_add(out, out, term, prec);
        arb_mul(term, term, u, prec);
        arb_mul_si(term, term, 1 - 2 * n, prec);
        arb_get_mag(rest, term);
        if (mag_cmp(rest, least) < 0)
            break;
    }
    arb_add_error_mag(out, rest);
}

static void integral(arb_t out, const fmpq_t s, const fmpq_t x, const arb_t f, slong prec)
{
    PBY_FMPQ(square);
    fmpq_mul(square, x, x);
    fmpq_div(square, square, s);
    if (fmpq_cmp_si(square, 4 * prec) < 0)
        integral_near(out, s, x, prec);
    else
        integral_far(out, s, x, f, prec);
}

bool pby_gauss_sum_by_integral(arb_t sum, const fmpq_t s, const fmpq_t x, slong prec)
{
    const slong working = prec + GUARD;
    PBY_MAG(bound);
    const slong m = fmpq_cmp_si(s, INTEGRAL_FROM) < 0 ? 0 : corrections(bound, s, x, prec);
    if (m > 0) {
        PBY_ARB(f, correction);
        correct(correction, s, x, m, working);
        arb_add_error_mag(correction, bound);
        pby_gauss_term(f, s, x, working);
        integral(sum, s, x, f, working);
        arb_addmul(sum, f, correction, working);
    }
    return m > 0;
}

/* ---- either way ------------------------------------------------------------------------------- */

void pby_gauss_sum(arb_t sum, const fmpq_t s, const fmpq_t x, slong prec)
{
    if (!pby_gauss_sum_by_integral(sum, s, x, prec))
        pby_gauss_sum_by_terms(sum, s, x, prec);
}

void pby_gauss_total(arb_t sum, const fmpq_t s, slong prec)
{
    PBY_FMPQ(one);
    fmpq_one(one);
    pby_gauss_sum(sum, s, one, prec);
    arb_mul_2exp_si(sum, sum, 1);
    arb_add_ui(sum, sum, 1, prec + GUARD);
}
