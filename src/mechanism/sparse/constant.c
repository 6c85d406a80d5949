/* SPDX-License-Identifier: MIT */
/* B of the promise D_a <= xi + rho a + B/(a-1).
 *
 * With at most k questions it is the logarithm of the number of outputs, sum over j <= c of C(k, j).
 *
 * With any number of questions, no answer being more than G below the threshold, it is log(M)/g, g > 1 and
 *
 *     M = E (1/P(V >= G + Z))^(c g)
 *
 * which is finite when r = c g s1/s2 is below 1, s1 and s2 the variances. g is halfway from 1 to its end. Far
 * from 0 the terms are bounded: above, P(V >= t) is at least the mass at t; below -G it is at least 1/2. */
#include <inttypes.h>
#include <math.h>

#include "law/gauss_sum.h"
#include "mechanism/sparse/family_sparse.h"
#include "number/scoped.h"

enum { GUARD = 64, TERMS_MAX = 1 << 22 };

static void log_outcomes(arb_t b, int64_t k, int64_t c, slong prec)
{
    const slong working = prec + GUARD;
    PBY_ARB(term);
    arb_one(term);
    arb_one(b);
    for (int64_t j = 0; j < c; j++) {
        arb_mul_si(term, term, k - j, working);
        arb_div_si(term, term, j + 1, working);
        arb_add(b, b, term, working);
    }
    arb_log(b, b, prec);
}

/* ---- the moment ------------------------------------------------------------------------------- */

struct moment {
    const fmpq *s1, *s2;
    fmpq_t power; /* c g */
    int64_t gap, first, last;
};

/* Chooses the first and the last term that are summed; a bad guess only widens the enclosure. */
static bool choose_ends(struct moment *m, slong prec)
{
    const double s1 = fmpq_get_d(m->s1), s2 = fmpq_get_d(m->s2), r = fmpq_get_d(m->power) * s1 / s2;
    const double level = 2 * (0.7 * (double)prec + 40), gap = (double)m->gap;
    const double last = gap * r / (1 - r) + sqrt(level * s1 / (1 - r)) + 2;
    const double first = fmax(gap, sqrt(level * s1)) + 2;
    if (!(first + last < TERMS_MAX))
        return false;
    m->first = -(int64_t)first;
    m->last = (int64_t)last;
    return true;
}

static void power_of(arb_t x, const fmpq_t power, slong prec)
{
    arb_log(x, x, prec);
    arb_mul_fmpz(x, x, fmpq_numref(power), prec);
    arb_div_fmpz(x, x, fmpq_denref(power), prec);
    arb_exp(x, x, prec);
}

/* Bounds the terms behind the last: with t = G + z they are at most the sum of exp(-z^2/(2 s1) + c g t^2/(2
 * s2)), N2^(c g) apart, and the quotient of two terms of that falls. */
static void upper_rest(arb_t rest, const struct moment *m, slong prec)
{
    PBY_FMPQ(z, t, x);
    PBY_ARB(ratio);
    fmpq_set_si(z, m->last + 1, 1);
    fmpq_set_si(t, m->last + 1 + m->gap, 1);
    for (int step = 0; step < 2; step++) {
        /* x = -z^2/(2 s1) + power t^2/(2 s2) */
        fmpq_mul(x, t, t);
        fmpq_mul(x, x, m->power);
        fmpq_div(x, x, m->s2);
        PBY_FMPQ(y);
        fmpq_mul(y, z, z);
        fmpq_div(y, y, m->s1);
        fmpq_sub(x, x, y);
        fmpq_div_2exp(x, x, 1);
        arb_set_fmpq(step == 0 ? rest : ratio, x, prec);
        fmpq_add_si(z, z, 1);
        fmpq_add_si(t, t, 1);
    }
    arb_sub(ratio, ratio, rest, prec);
    arb_exp(rest, rest, prec);
    arb_expm1(ratio, ratio, prec);
    arb_neg(ratio, ratio);
    if (arb_is_positive(ratio))
        arb_div(rest, rest, ratio, prec);
    else
        arb_indeterminate(rest);
}

/* Bounds the terms before the first, N1 apart. */
static void lower_rest(arb_t rest, const struct moment *m, slong prec)
{
    PBY_FMPQ(x);
    PBY_ARB(two);
    fmpq_set_si(x, 1 - m->first, 1);
    pby_gauss_sum(rest, m->s1, x, prec);
    arb_set_ui(two, 2);
    power_of(two, m->power, prec);
    arb_mul(rest, rest, two, prec);
}

/* sum of f1(z) (N2/S2(G + z))^(c g), from the last term down, S2 the upper sums of f2. */
static void sum_terms(arb_t sum, const struct moment *m, const arb_t total, slong prec)
{
    pby_gauss_walk f1, f2;
    PBY_ARB(tail, term);
    PBY_FMPQ(x);
    fmpq_set_si(x, m->last + m->gap + 1, 1);
    pby_gauss_sum(tail, m->s2, x, prec);
    fmpq_set_si(x, -m->last, 1);
    pby_gauss_walk_init(&f1, m->s1, x, prec);
    fmpq_set_si(x, -m->last - m->gap, 1);
    pby_gauss_walk_init(&f2, m->s2, x, prec);
    arb_zero(sum);
    for (int64_t z = m->last; z >= m->first; z--) {
        arb_add(tail, tail, f2.term, prec);
        arb_div(term, total, tail, prec);
        power_of(term, m->power, prec);
        arb_addmul(sum, f1.term, term, prec);
        pby_gauss_walk_step(&f1, prec);
        pby_gauss_walk_step(&f2, prec);
    }
    pby_gauss_walk_clear(&f2);
    pby_gauss_walk_clear(&f1);
}

/* ball += anything from 0 to rest */
static void add_up_to(arb_t ball, arb_t rest, slong prec)
{
    arb_mul_2exp_si(rest, rest, -1);
    arb_add(ball, ball, rest, prec);
    arb_add_error(ball, rest);
}

static void moment_of(arb_t ball, const struct moment *m, slong prec)
{
    PBY_ARB(total, rest, power);
    pby_gauss_total(total, m->s2, prec);
    sum_terms(ball, m, total, prec);
    arb_set(power, total);
    power_of(power, m->power, prec);
    upper_rest(rest, m, prec);
    arb_mul(rest, rest, power, prec);
    add_up_to(ball, rest, prec);
    lower_rest(rest, m, prec);
    add_up_to(ball, rest, prec);
    pby_gauss_total(total, m->s1, prec);
    arb_div(ball, ball, total, prec);
}

/* g = (1 + s2/(c s1))/2 */
void pby_sparse_moment_order(fmpq_t g, const pby_sparse_use *use)
{
    fmpq_div(g, use->answer.sigma2, use->threshold.sigma2);
    fmpz_t c;
    fmpz_init_set_si(c, use->tops);
    fmpq_div_fmpz(g, g, c);
    fmpz_clear(c);
    fmpq_add_si(g, g, 1);
    fmpq_div_2exp(g, g, 1);
}

static pby_status log_moment(arb_t b, const pby_sparse_use *use, slong prec, pby_error *err)
{
    struct moment m = {.s1 = use->threshold.sigma2, .s2 = use->answer.sigma2, .gap = use->gap};
    PBY_FMPQ(g);
    fmpq_init(m.power);
    pby_sparse_moment_order(g, use);
    fmpq_mul_si(m.power, g, use->tops);
    pby_status status = PBY_OK;
    if (!choose_ends(&m, prec))
        status = pby_fail(err, PBY_BAD,
                          "sparse:gap '%" PRId64
                          "': expected one that takes, with the threshold's noise, at most %d terms",
                          use->gap, TERMS_MAX);
    else
        moment_of(b, &m, prec + GUARD);
    arb_log(b, b, prec + GUARD);
    arb_mul_fmpz(b, b, fmpq_denref(g), prec + GUARD);
    arb_div_fmpz(b, b, fmpq_numref(g), prec);
    fmpq_clear(m.power);
    return status;
}

pby_status pby_sparse_constant(arb_t b, const pby_sparse_use *use, slong prec, pby_error *err)
{
    arb_zero(b);
    if (!fmpq_is_zero(use->answer.rate))
        return PBY_OK;
    if (use->gap > 0)
        return log_moment(b, use, prec, err);
    log_outcomes(b, use->questions, use->tops, prec);
    return PBY_OK;
}
