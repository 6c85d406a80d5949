/* SPDX-License-Identifier: MIT */
/* Squared errors of weights that fit bars and their total, and of what stands against them.
 *
 * x_k is the chance that the noise of one measurement is k or more on either side. The greatest of m such has
 * a mean of sum over k >= 1 of 1 - (1 - x_k)^m, and its square one of sum (2k - 1)(1 - (1 - x_k)^m). Sums are
 * taken up to a last k; what lies beyond is between 0 and m times a bound, of which the terms (2k - 1) y_k
 * fall by a factor that falls (docs/theory/microdata.md). */
#include <arb.h>
#include <inttypes.h>

#include "mechanism/family.h"
#include "number/ball.h"
#include "number/number_texts.h"
#include "number/scoped.h"
#include "number/text.h"
#include "probity/experimental/losses.h"
#include "probity/experimental/microdata.h"
#include "probity/loss.h"

enum { TERMS_MAX = 1 << 20 };

/* Noise: geometric of a rate, clipped at a bound unless that is 0, or discrete Gaussian. */
struct noise {
    fmpq_t rate, sigma2;
    bool gaussian;
    int64_t bound;
};

struct question {
    pby_weights_error_kind kind;
    struct noise noise;
    uint64_t bars;
    fmpq_t epsilon;
    arb_t delta;
};

/* ---- tails ------------------------------------------------------------------------------------- */

/* A bound on x_k, reached by geometric noise: 2 a^k/(1 + a), 2 exp(-k^2/(2 sigma2)). */
static void over(arb_t y, const struct noise *z, int64_t k, slong prec)
{
    PBY_FMPQ(power);
    PBY_ARB(a);
    fmpq_set_si(power, -k, 1);
    if (z->gaussian) {
        fmpq_mul_si(power, power, k);
        fmpq_div(power, power, z->sigma2);
        fmpq_div_2exp(power, power, 1);
        pby_exp_fmpq(y, power, prec);
    } else {
        fmpq_mul(power, power, z->rate);
        pby_exp_fmpq(y, power, prec);
        fmpq_neg(power, z->rate);
        pby_exp_fmpq(a, power, prec);
        arb_add_ui(a, a, 1, prec);
        arb_div(y, y, a, prec);
    }
    arb_mul_2exp_si(y, y, 1);
}

/* tail = a bound on the sum of (2k - 1) y_k over k > last; false where the terms do not fall there. */
static bool beyond(arb_t tail, const struct noise *z, int64_t last, slong prec)
{
    PBY_ARB(first, second);
    over(first, z, last + 1, prec);
    over(second, z, last + 2, prec);
    arb_mul_si(first, first, 2 * last + 1, prec);
    arb_mul_si(second, second, 2 * last + 3, prec);
    arb_sub(second, first, second, prec);
    const bool falls = arb_is_positive(second);
    arb_mul(tail, first, first, prec);
    arb_div(tail, tail, second, prec);
    return falls;
}

/* The last k that is added up: beyond it less than 2^-prec is left, for all bars together. */
static pby_status last_term(int64_t *last, const struct question *q, slong prec, pby_error *err)
{
    const struct noise *z = &q->noise;
    bool enough = false;
    if (z->bound > 0 && z->bound <= TERMS_MAX) {
        *last = z->bound;
        return PBY_OK;
    }
    PBY_ARB(tail);
    for (*last = 16; *last <= TERMS_MAX && !enough; *last *= 2) {
        enough = beyond(tail, z, *last, 64);
        arb_mul_ui(tail, tail, q->bars, 64);
        arb_mul_2exp_si(tail, tail, prec);
        enough = enough && arf_cmp_si(arb_midref(tail), 1) < 0;
    }
    *last /= 2;
    return enough ? PBY_OK : pby_fail(err, PBY_BAD, "SPEC: expected noise of less width, for its errors");
}

/* Adds what lies beyond: between 0 and the bound. */
static void widen_sum(arb_t sum, const arb_t bound, slong prec)
{
    PBY_ARB(half);
    arb_mul_2exp_si(half, bound, -1);
    arb_add(sum, sum, half, prec);
    arb_add_error(sum, half);
}

/* x_1 .. x_last. Of the discrete Gaussian weights are added up from the end, what lies beyond included. */
static void set_tails(arb_ptr x, const struct noise *z, int64_t last, slong prec)
{
    if (!z->gaussian) {
        for (int64_t k = 1; k <= last; k++)
            over(x + k, z, k, prec);
        return;
    }
    PBY_ARB(sum, norm);
    beyond(norm, z, last, prec); /* more than the weights of both sides beyond */
    widen_sum(sum, norm, prec);
    for (int64_t k = last; k >= 1; k--) {
        over(norm, z, k, prec);
        arb_add(sum, sum, norm, prec);
        arb_set(x + k, sum);
    }
    arb_add_ui(norm, sum, 1, prec);
    for (int64_t k = 1; k <= last; k++)
        arb_div(x + k, x + k, norm, prec);
}

/* ---- moments ----------------------------------------------------------------------------------- */

struct moments {
    arb_t mean, square;      /* of |Z| */
    arb_t most, most_square; /* of the greatest |Z| of all bars */
};

static void moments_init(struct moments *m)
{
    arb_init(m->mean);
    arb_init(m->square);
    arb_init(m->most);
    arb_init(m->most_square);
}

static void moments_clear(struct moments *m)
{
    arb_clear(m->mean);
    arb_clear(m->square);
    arb_clear(m->most);
    arb_clear(m->most_square);
}

static void add_term(struct moments *m, const arb_t x, uint64_t bars, int64_t k, slong prec)
{
    PBY_ARB(some);
    arb_add(m->mean, m->mean, x, prec);
    arb_addmul_si(m->square, x, 2 * k - 1, prec);
    arb_set(some, x);
    pby_once_of(some, bars, prec);
    arb_add(m->most, m->most, some, prec);
    arb_addmul_si(m->most_square, some, 2 * k - 1, prec);
}

static pby_status set_moments(struct moments *m, const struct question *q, slong prec, pby_error *err)
{
    const struct noise *z = &q->noise;
    int64_t last;
    const pby_status status = last_term(&last, q, prec, err);
    if (status != PBY_OK)
        return status;
    arb_ptr x = _arb_vec_init(last + 1);
    set_tails(x, z, last, prec);
    for (int64_t k = 1; k <= last; k++)
        add_term(m, x + k, q->bars, k, prec);
    if (z->bound == 0 || z->bound > last) {
        beyond(x, z, last, prec); /* of the squares, and so of the means */
        widen_sum(m->mean, x, prec);
        widen_sum(m->square, x, prec);
        arb_mul_ui(x, x, q->bars, prec);
        widen_sum(m->most, x, prec);
        widen_sum(m->most_square, x, prec);
    }
    _arb_vec_clear(x, last + 1);
    return PBY_OK;
}

/* ---- what is asked ----------------------------------------------------------------------------- */

/* E(|Z| + 2 M)^2, Z and the greatest M of the bars being independent. */
static void bar_bound(arb_t out, const struct moments *m, slong prec)
{
    arb_mul(out, m->mean, m->most, prec);
    arb_add(out, out, m->most_square, prec);
    arb_mul_2exp_si(out, out, 2);
    arb_add(out, out, m->square, prec);
}

/* m E(Z+)^2 + m (m - 1) (E Z+)^2, Z+ = max(0, Z). */
static void clipped_total(arb_t out, const struct moments *m, uint64_t bars, slong prec)
{
    PBY_ARB(pairs);
    arb_mul(pairs, m->mean, m->mean, prec);
    arb_mul_2exp_si(pairs, pairs, -2);
    arb_mul_ui(pairs, pairs, bars - 1, prec);
    arb_mul_2exp_si(out, m->square, -1);
    arb_add(out, out, pairs, prec);
    arb_mul_ui(out, out, bars, prec);
}

/* (t (A - 1) - 2D)/(2 + 2A) with A = (m - 1)(exp(-2 e t)/4 - delta (1 - exp(-2 e t))/(exp(e) - 1)), D the
 * root of the total's error; false where A is not above 1. */
static bool least_root(arb_t out, const struct question *q, const arb_t root, int64_t t, slong prec)
{
    PBY_FMPQ(power);
    PBY_ARB(fall, a, step);
    fmpq_mul_si(power, q->epsilon, -2 * t);
    pby_exp_fmpq(fall, power, prec);
    arb_set_fmpq(step, q->epsilon, prec);
    pby_expm1(step, step, prec);
    arb_sub_ui(a, fall, 1, prec);
    arb_mul(a, a, q->delta, prec);
    arb_div(a, a, step, prec);
    arb_mul_2exp_si(fall, fall, -2);
    arb_add(a, a, fall, prec);
    arb_mul_ui(a, a, q->bars - 1, prec);
    arb_sub_ui(out, a, 1, prec);
    const bool some = arb_is_positive(out);
    arb_mul_si(out, out, t, prec);
    arb_mul_2exp_si(step, root, 1);
    arb_sub(out, out, step, prec);
    arb_add_ui(a, a, 1, prec);
    arb_mul_2exp_si(a, a, 1);
    arb_div(out, out, a, prec);
    return some;
}

/* The greatest square over all t; A falls with t. */
static void least_error(arb_t out, const struct question *q, const arb_t total, slong prec)
{
    PBY_ARB(root, at);
    arb_sqrt(root, total, prec);
    arb_zero(out);
    for (int64_t t = 1; t <= TERMS_MAX && least_root(at, q, root, t, prec); t++)
        pby_raise_to(out, at, prec);
    arb_mul(out, out, out, prec);
}

static pby_status answer(arb_t ball, const void *what, slong prec, pby_error *err)
{
    const struct question *q = what;
    struct moments m;
    moments_init(&m);
    const pby_status status = set_moments(&m, q, prec, err);
    switch (q->kind) {
    case PBY_WEIGHTS_TOTAL:
    case PBY_WEIGHTS_CLIPPED_BAR:
        arb_set(ball, m.square);
        break;
    case PBY_WEIGHTS_BAR:
        bar_bound(ball, &m, prec);
        break;
    case PBY_WEIGHTS_CLIPPED_TOTAL:
        clipped_total(ball, &m, q->bars, prec);
        break;
    case PBY_WEIGHTS_LEAST:
        least_error(ball, q, m.square, prec);
        break;
    }
    moments_clear(&m);
    return status;
}

/* ---- the question ------------------------------------------------------------------------------ */

/* The noise of each measurement; of bars alone at the same loss, twice the rate or half of sigma2. */
static pby_status set_noise(struct noise *z, const pby_mechanism *m, bool alone, pby_error *err)
{
    const fmpq *eps = pby_mechanism_value(m, PBY_ROLE_EPSILON);
    if (m->family->form != PBY_RELEASE_TOTAL)
        return pby_family_lacks(m, "a total beside its bars", err);
    z->gaussian = eps == NULL;
    z->bound = z->gaussian || pby_mechanism_value(m, PBY_ROLE_MOST) == NULL
                   ? 0
                   : fmpz_get_si(fmpq_numref(pby_mechanism_value(m, PBY_ROLE_MOST)));
    if (alone && z->bound > 0)
        return pby_family_lacks(m, "bars alone that lose the same", err);
    if (z->gaussian)
        fmpq_div_2exp(z->sigma2, pby_mechanism_value(m, PBY_ROLE_VARIANCE), alone);
    else
        fmpq_div_2exp(z->rate, eps, alone ? 0 : 1);
    return PBY_OK;
}

/* The upper end of delta at epsilon. */
static pby_status set_delta(struct question *q, const pby_spec *spec, mpq_srcptr epsilon, unsigned digits,
                            pby_error *err)
{
    const fmpq *eps = pby_mechanism_value(&spec->use[0].mechanism, PBY_ROLE_EPSILON);
    pby_enclosure delta;
    if (epsilon == NULL && eps == NULL)
        return pby_fail(err, PBY_BAD, "epsilon: expected one, for a bound on all mechanisms");
    if (epsilon != NULL && mpq_sgn(epsilon) <= 0)
        return pby_refuse_mpq(err, "epsilon", epsilon, "a rational above 0");
    PBY_MPQ(at);
    pby_enclosure_init(&delta);
    if (epsilon != NULL)
        mpq_set(at, epsilon);
    else
        fmpq_get_mpq(at, eps);
    fmpq_set_mpq(q->epsilon, at);
    const pby_status status = pby_loss_delta(&delta, spec, PBY_ADD_REMOVE, at, digits + 3, err);
    if (status == PBY_OK)
        arf_set_mpfr(arb_midref(q->delta), delta.hi);
    pby_enclosure_clear(&delta);
    return status;
}

static pby_status ask_error(pby_enclosure *out, struct question *q, const pby_spec *spec, mpq_srcptr epsilon,
                            unsigned digits, pby_error *err)
{
    const pby_mechanism *m;
    const bool alone = q->kind == PBY_WEIGHTS_CLIPPED_BAR || q->kind == PBY_WEIGHTS_CLIPPED_TOTAL;
    if (q->bars < 1 || q->bars > INT64_MAX)
        return pby_fail(err, PBY_BAD, "bars '%" PRIu64 "': expected an integer from 1 to 2^63 - 1", q->bars);
    pby_status status = pby_spec_single(&m, spec, "the error of weights", err);
    if (status == PBY_OK)
        status = set_noise(&q->noise, m, alone, err);
    if (status == PBY_OK && q->kind == PBY_WEIGHTS_LEAST)
        status = set_delta(q, spec, epsilon, digits, err);
    if (status != PBY_OK)
        return status;
    PBY_ARB(ball);
    status = pby_enclose(ball, answer, q, digits, err);
    if (status == PBY_OK)
        pby_enclosure_set_arb(out, ball, digits);
    return status;
}

pby_status pby_weights_error(pby_enclosure *out, pby_weights_error_kind kind, const pby_spec *spec,
                             uint64_t bars, mpq_srcptr epsilon, unsigned digits, pby_error *err)
{
    struct question q = {.kind = kind, .bars = bars};
    fmpq_init(q.noise.rate);
    fmpq_init(q.noise.sigma2);
    fmpq_init(q.epsilon);
    arb_init(q.delta);
    const pby_status status =
        ask_error(out, &q, spec, epsilon, digits == 0 ? PBY_DIGITS_DEFAULT : digits, err);
    arb_clear(q.delta);
    fmpq_clear(q.epsilon);
    fmpq_clear(q.noise.sigma2);
    fmpq_clear(q.noise.rate);
    return status;
}

pby_status pby_weights_error_text(pby_decimals *out, pby_weights_error_kind kind, const pby_spec *spec,
                                  uint64_t bars, const char *epsilon, unsigned digits, pby_error *err)
{
    pby_worded w;
    pby_status status = pby_worded_begin(&w, "epsilon", epsilon, err);
    if (status == PBY_OK)
        status =
            pby_weights_error(&w.answer, kind, spec, bars, epsilon == NULL ? NULL : w.value, digits, err);
    return pby_worded_end(&w, out, digits, status);
}
