#include "law/gauss_sum.h"

#include <arb_hypgeom.h>
#include <bernoulli.h>
#include <stdbool.h>

/* GUARD bits cover what 2^24 steps of a walk lose. Below INTEGRAL_FROM a sum has few terms. */
enum { GUARD = 64, INTEGRAL_FROM = 256 };

/* ---- terms ------------------------------------------------------------------------------------ */

void pby_gauss_term(arb_t term, const fmpq_t s, const fmpq_t x, slong prec)
{
    fmpq_t e;
    fmpq_init(e);
    fmpq_mul(e, x, x);
    fmpq_div(e, e, s);
    fmpq_div_2exp(e, e, 1);
    fmpq_neg(e, e);
    arb_set_fmpq(term, e, 2 * prec);
    arb_exp(term, term, prec);
    fmpq_clear(e);
}

void pby_gauss_walk_init(pby_gauss_walk *walk, const fmpq_t s, const fmpq_t x, slong prec)
{
    fmpq_t e;
    fmpq_init(e);
    arb_init(walk->term);
    arb_init(walk->ratio);
    arb_init(walk->bend);
    pby_gauss_term(walk->term, s, x, prec);
    fmpq_inv(e, s);
    fmpq_neg(e, e);
    arb_set_fmpq(walk->bend, e, 2 * prec);
    arb_exp(walk->bend, walk->bend, prec);
    fmpq_set_si(e, 1, 2);
    fmpq_add(e, e, x);
    fmpq_div(e, e, s);
    fmpq_neg(e, e);
    arb_set_fmpq(walk->ratio, e, 2 * prec);
    arb_exp(walk->ratio, walk->ratio, prec);
    fmpq_clear(e);
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
    arb_t rest;
    mag_t most, least;
    arb_init(rest);
    mag_init(most);
    mag_init(least);
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
    mag_clear(least);
    mag_clear(most);
    arb_clear(rest);
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

/* ---- by the integral -------------------------------------------------------------------------- */

/* How many corrections make the remainder less than 2^-prec f(x), and that bound on the remainder over
 * f(x); 0 when none do. After m of them it is at most
 *     4 sqrt(pi s) exp(x^2/(4s)) (2m)/(39 s) (2m-2)/(39 s) ... 2/(39 s). */
static slong corrections(mag_t bound, const fmpq_t s, const fmpq_t x, slong prec)
{
    arb_t size, factor;
    fmpq_t e;
    mag_t step;
    arb_init(size);
    arb_init(factor);
    fmpq_init(e);
    mag_init(step);
    fmpq_mul(e, x, x);
    fmpq_div(e, e, s);
    fmpq_div_2exp(e, e, 2);
    arb_set_fmpq(size, e, GUARD);
    arb_exp(size, size, GUARD);
    arb_const_pi(factor, GUARD);
    arb_mul_fmpz(factor, factor, fmpq_numref(s), GUARD);
    arb_div_fmpz(factor, factor, fmpq_denref(s), GUARD);
    arb_sqrt(factor, factor, GUARD);
    arb_mul(size, size, factor, GUARD);
    arb_mul_2exp_si(size, size, 2);
    arb_get_mag(bound, size);
    fmpz_fdiv_q(fmpq_numref(e), fmpq_numref(s), fmpq_denref(s));
    const slong size_bits = (slong)fmpz_bits(fmpq_numref(e));
    const slong most = prec / 16 + size_bits * size_bits / 4; /* more would not pay */
    slong found = 0;
    for (slong m = 1; m <= most && found == 0; m++) {
        fmpq_set_si(e, 2 * m, 39);
        fmpq_div(e, e, s);
        arb_set_fmpq(factor, e, GUARD);
        arb_get_mag(step, factor);
        mag_mul(bound, bound, step);
        if (mag_cmp_2exp_si(bound, -prec) < 0)
            found = m;
    }
    mag_clear(step);
    fmpq_clear(e);
    arb_clear(factor);
    arb_clear(size);
    return found;
}

/* out = 1/2 + sum over i = 1 .. m of B(2i)/(2i)! h(2i-1), where h(n) f(x) is the n-th derivative of f at
 * x but for the sign: h(0) = 1, h(1) = x/s, h(n+1) = (x h(n) - n h(n-1))/s. */
static void correct(arb_t out, const fmpq_t s, const fmpq_t x, slong m, slong prec)
{
    arb_t before, here, next, slope, spread, factor;
    fmpq_t b;
    arb_init(before);
    arb_init(here);
    arb_init(next);
    arb_init(slope);
    arb_init(spread);
    arb_init(factor);
    fmpq_init(b);
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
    fmpq_clear(b);
    arb_clear(factor);
    arb_clear(spread);
    arb_clear(slope);
    arb_clear(next);
    arb_clear(here);
    arb_clear(before);
}

/* The integral of f from x on: sqrt(pi s/2) erfc(x/sqrt(2s)). */
static void integral(arb_t out, const fmpq_t s, const fmpq_t x, slong prec)
{
    arb_t root;
    fmpq_t t;
    arb_init(root);
    fmpq_init(t);
    fmpq_mul_2exp(t, s, 1);
    arb_set_fmpq(root, t, prec);
    arb_sqrt(root, root, prec);
    arb_set_fmpq(out, x, prec);
    arb_div(out, out, root, prec);
    arb_hypgeom_erfc(out, out, prec);
    arb_mul(out, out, root, prec);
    arb_const_sqrt_pi(root, prec);
    arb_mul(out, out, root, prec);
    arb_mul_2exp_si(out, out, -1);
    fmpq_clear(t);
    arb_clear(root);
}

static bool sum_by_integral(arb_t sum, const fmpq_t s, const fmpq_t x, slong prec)
{
    const slong working = prec + GUARD;
    mag_t bound;
    mag_init(bound);
    const slong m = fmpq_cmp_si(s, INTEGRAL_FROM) < 0 ? 0 : corrections(bound, s, x, prec);
    if (m > 0) {
        arb_t f, correction;
        arb_init(f);
        arb_init(correction);
        correct(correction, s, x, m, working);
        arb_add_error_mag(correction, bound);
        pby_gauss_term(f, s, x, working);
        integral(sum, s, x, working);
        arb_addmul(sum, f, correction, working);
        arb_clear(correction);
        arb_clear(f);
    }
    mag_clear(bound);
    return m > 0;
}

/* ---- either ----------------------------------------------------------------------------------- */

void pby_gauss_sum(arb_t sum, const fmpq_t s, const fmpq_t x, slong prec)
{
    if (!sum_by_integral(sum, s, x, prec))
        pby_gauss_sum_by_terms(sum, s, x, prec);
}

void pby_gauss_total(arb_t sum, const fmpq_t s, slong prec)
{
    fmpq_t one;
    fmpq_init(one);
    fmpq_one(one);
    pby_gauss_sum(sum, s, one, prec);
    arb_mul_2exp_si(sum, sum, 1);
    arb_add_ui(sum, sum, 1, prec + GUARD);
    fmpq_clear(one);
}
