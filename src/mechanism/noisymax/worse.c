/* SPDX-License-Identifier: MIT */
/* The accuracy of a noisy maximum.
 *
 * The chance that the answer chosen among n is m or more below the best is greatest where the best is last
 * and all others are exactly m below it: another good answer only helps, and the first wins ties. That chance
 * is
 *
 *     sum over t of p(t) (1 - F(t - 1 + m)^(n-1)),
 *
 * p and F of the noise. With a = exp(-rate) and g = 1 + a, or 1 for one-sided noise, p(t) = (1-a)/g a^|t|,
 * and 1 - F(t - 1 + m) = a^(t+m)/g from t = -m on; before that F itself is a^(1-m-t)/g. No term is negative,
 * and what is left of them beyond both ends is enclosed. */
#include "law/law_exponential.h"
#include "mechanism/noisymax/noisymax.h"
#include "number/ball.h"
#include "number/scoped.h"

enum { GUARD = 32 };

/* More terms than this are not added up. */
#define TERMS_MAX 4000000

struct sum {
    const pby_max_noise *noise;
    uint64_t others;
    int64_t m;
    slong prec;
    arb_t a, back, g; /* a, 1/a and g */
    arb_t total;
};

static void power(arb_t out, const struct sum *s, int64_t e)
{
    pby_minus_rates(out, s->noise->rate, e, s->prec);
    arb_exp(out, out, s->prec);
}

/* out = 1 - F^others, F being y/g, or else 1 - y/g */
static void some_pass(arb_t out, const struct sum *s, const arb_t y, bool below)
{
    arb_div(out, y, s->g, s->prec);
    if (below) {
        arb_log(out, out, s->prec);
    } else {
        arb_neg(out, out);
        arb_log1p(out, out, s->prec);
    }
    arb_mul_ui(out, out, s->others, s->prec);
    arb_expm1(out, out, s->prec);
    arb_neg(out, out);
}

/* Adds the terms of from .. to, none of which is 0 or -m but for the first. */
static void add_terms(struct sum *s, int64_t from, int64_t to)
{
    const bool below = from < -s->m;
    arb_srcptr mass_by = from < 0 ? s->back : s->a, y_by = below ? s->back : s->a;
    PBY_ARB(mass, y, term);
    power(mass, s, from < 0 ? -from : from);
    power(y, s, below ? 1 - s->m - from : from + s->m);
    for (int64_t t = from; t <= to; t++) {
        some_pass(term, s, y, below);
        arb_addmul(s->total, term, mass, s->prec);
        arb_mul(mass, mass, mass_by, s->prec);
        arb_mul(y, y, y_by, s->prec);
    }
}

/* total += something from 0 to times a^e */
static void add_rest(struct sum *s, uint64_t times, int64_t e)
{
    PBY_ARB(rest, zero);
    power(rest, s, e);
    arb_mul_ui(rest, rest, times, s->prec);
    arb_union(rest, rest, zero, s->prec);
    arb_add(s->total, s->total, rest, s->prec);
}

/* The terms below -m - reach are at most those of the noise, a^(m+reach+1)/g in all. Above reach, 1 -
 * F^others is at most others a^(t+m), and the terms are at most others a^(m + 2 reach + 2) in all. */
static void add_all(struct sum *s, int64_t reach)
{
    PBY_ARB(rest);
    if (!s->noise->one_sided) {
        add_terms(s, -s->m - reach, -s->m - 1);
        add_terms(s, -s->m, -1);
    }
    add_terms(s, 0, reach);
    arb_sub_ui(rest, s->a, 1, s->prec);
    arb_neg(rest, rest);
    arb_div(rest, rest, s->g, s->prec);
    arb_mul(s->total, s->total, rest, s->prec);
    if (!s->noise->one_sided)
        add_rest(s, 1, s->m + reach + 1);
    add_rest(s, s->others, s->m + 2 * reach + 2);
}

/* floor(beta) + 1 */
static bool steps_beyond(int64_t *m, const fmpq_t beta)
{
    PBY_FMPZ(whole);
    fmpz_fdiv_q(whole, fmpq_numref(beta), fmpq_denref(beta));
    fmpz_add_ui(whole, whole, 1);
    const bool fits = fmpz_cmp_si(whole, TERMS_MAX) <= 0;
    *m = fits ? fmpz_get_si(whole) : 0;
    return fits;
}

pby_status pby_max_worse(arb_t chance, const pby_mechanism *m, uint64_t candidates, const fmpq_t beta,
                         slong prec, pby_error *err)
{
    pby_max_noise noise;
    struct sum s = {.noise = &noise, .others = candidates - 1, .prec = prec + GUARD};
    arb_zero(chance);
    if (candidates <= 1)
        return PBY_OK;
    pby_max_noise_init(&noise, m);
    const int64_t reach = pby_decay_length(noise.rate, prec * 7 / 10 + 1); /* log 2 < 7/10 */
    pby_status status = PBY_OK;
    if (!steps_beyond(&s.m, beta) || reach > (TERMS_MAX - s.m) / 2) {
        status = pby_mechanism_refuse(
            m, "noise of which some million values are enough, and a beta within them", err);
    } else {
        arb_init(s.a);
        arb_init(s.back);
        arb_init(s.g);
        arb_init(s.total);
        power(s.a, &s, 1);
        power(s.back, &s, -1);
        arb_add_ui(s.g, s.a, 1, s.prec);
        if (noise.one_sided)
            arb_one(s.g);
        add_all(&s, reach);
        arb_set_round(chance, s.total, prec);
        arb_clear(s.total);
        arb_clear(s.g);
        arb_clear(s.back);
        arb_clear(s.a);
    }
    pby_max_noise_clear(&noise);
    return status;
}
