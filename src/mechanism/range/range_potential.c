/* SPDX-License-Identifier: MIT */
#include "mechanism/range/range_potential.h"

#include "law/law_exponential.h"
#include "number/scoped.h"

/* a^n / (1+a), which is P(noise >= n) for n >= 0. */
static void from(arb_t out, int64_t n, const pby_range_noise *s)
{
    pby_minus_rates(out, s->rate, n, s->prec);
    arb_exp(out, out, s->prec);
    arb_mul(out, out, s->norm, s->prec);
}

void pby_range_noise_init(pby_range_noise *s, const fmpq_t rate, int64_t reach, int64_t most, slong prec)
{
    *s = (pby_range_noise){
        .reach = reach, .most = most, .prec = prec, .power = _arb_vec_init((slong)most + 1)};
    fmpq_init(s->rate);
    fmpq_set(s->rate, rate);
    arb_init(s->decay);
    arb_init(s->norm);
    arb_init(s->outside);
    pby_minus_rates(s->decay, rate, 1, prec);
    arb_exp(s->decay, s->decay, prec);
    arb_add_ui(s->norm, s->decay, 1, prec);
    arb_inv(s->norm, s->norm, prec);
    _arb_vec_set_powers(s->power, s->decay, (slong)most + 1, prec);
    from(s->outside, reach + 1, s);
}

void pby_range_noise_clear(pby_range_noise *s)
{
    arb_clear(s->outside);
    arb_clear(s->norm);
    arb_clear(s->decay);
    fmpq_clear(s->rate);
    _arb_vec_clear(s->power, (slong)s->most + 1);
}

/* ---- one bar ---------------------------------------------------------------------------------- */

int64_t pby_range_far(const pby_range_noise *s, int64_t part)
{
    return FLINT_MIN(part, 2 * s->reach + 1);
}

/* The lesser of the two chances has its full relative precision: -reach <= noise < far - reach, and all else.
 */
static void chances(arb_t infinite, arb_t finite, const pby_range_noise *s, int64_t part)
{
    const int64_t end = pby_range_far(s, part) - s->reach;
    arb_ptr lesser = end <= 0 ? infinite : finite, other = end <= 0 ? finite : infinite;
    from(lesser, end <= 0 ? 1 - end : end, s);
    if (end <= 0)
        arb_sub(lesser, lesser, s->outside, s->prec);
    else
        arb_add(lesser, lesser, s->outside, s->prec);
    arb_sub_ui(other, lesser, 1, s->prec);
    arb_neg(other, other);
}

void pby_range_infinite(arb_t out, const pby_range_noise *s, int64_t part)
{
    PBY_ARB(finite);
    chances(out, finite, s, part);
}

void pby_range_finite(arb_t out, const pby_range_noise *s, int64_t part)
{
    PBY_ARB(infinite);
    chances(infinite, out, s, part);
}

/* The mass that geometric noise would hide of a move by n rates more than the loss asked for: a^(n/2), or 2
 * a^((n+1)/2) / (1+a) where n is odd. */
static void hidden(arb_t out, int64_t n, const pby_range_noise *s)
{
    arb_set(out, s->power + (n + 1) / 2);
    if (n % 2 == 1) {
        arb_mul(out, out, s->norm, s->prec);
        arb_mul_2exp_si(out, out, 1);
    }
}

/* docs/theory/range.md, (1) */
void pby_range_one(arb_ptr potential, const pby_range_noise *s, int64_t part)
{
    const int64_t far = pby_range_far(s, part), last = FLINT_MIN(far, 2 * s->reach - far);
    PBY_ARB(beyond, less);
    pby_range_infinite(beyond, s, part);
    for (int64_t k = 0; k <= part; k++) {
        arb_set(potential + k, beyond);
        if (k >= last)
            continue;
        from(potential + k, s->reach + 1 - k, s);
        hidden(less, far - k, s);
        arb_add(less, less, s->outside, s->prec);
        arb_sub(potential + k, potential + k, less, s->prec);
        arb_add_ui(potential + k, potential + k, 1, s->prec);
    }
}

/* ---- one bar more ----------------------------------------------------------------------------- */

/* Bars other than the one that is added. */
struct rest {
    arb_srcptr potential;
    int64_t t;
};

/* Their potential D at exp(w i), i of either sign: D(a^k) = 1 - a^k (1 - D(a^-k)) for what is its own
 * reverse. */
static void at(arb_t out, const struct rest *rest, int64_t i, const pby_range_noise *s)
{
    arb_set(out, rest->potential + FLINT_MIN(FLINT_ABS(i), rest->t));
    if (i >= 0)
        return;
    arb_sub_ui(out, out, 1, s->prec);
    arb_mul(out, out, s->power + (-i), s->prec);
    arb_add_ui(out, out, 1, s->prec);
}

/* A bar's chances of each loss: none, all of far, minus all of it, infinite; and a^v (1-a)/(1+a) of far - 2v
 * for v = from .. to. */
struct bar {
    arb_t none, top, bottom, infinite, before, last; /* the last two: of v = from - 1 and of v = to */
    int64_t far, from, to;
};

static void bar_init(struct bar *b, int64_t part, const pby_range_noise *s)
{
    arb_init(b->none);
    arb_init(b->top);
    arb_init(b->bottom);
    arb_init(b->infinite);
    arb_init(b->before);
    arb_init(b->last);
    b->far = pby_range_far(s, part);
    b->from = FLINT_MAX(1, b->far - s->reach);
    b->to = FLINT_MIN(s->reach, b->far - 1);
    arb_mul_2exp_si(b->none, s->outside, 1);
    pby_range_infinite(b->infinite, s, part);
    if (b->far <= s->reach) {
        arb_sub(b->top, s->norm, s->outside, s->prec);
        arb_sub(b->top, b->top, b->infinite, s->prec);
        from(b->bottom, b->far, s);
        arb_sub(b->bottom, b->bottom, s->outside, s->prec);
    }
    arb_sub(b->last, s->power, s->decay, s->prec);
    arb_mul(b->last, b->last, s->norm, s->prec);
    arb_mul(b->before, b->last, s->power + (b->from - 1), s->prec);
    arb_mul(b->last, b->last, s->power + b->to, s->prec);
}

static void bar_clear(struct bar *b)
{
    arb_clear(b->last);
    arb_clear(b->before);
    arb_clear(b->infinite);
    arb_clear(b->bottom);
    arb_clear(b->top);
    arb_clear(b->none);
}

/* The chance of all v = from .. to. */
static void run_bar(arb_t out, const struct bar *b, const pby_range_noise *s)
{
    arb_zero(out);
    if (b->from > b->to)
        return;
    arb_sub(out, s->power + b->from, s->power + b->to + 1, s->prec);
    arb_mul(out, out, s->norm, s->prec);
}

/* From the sum over v = from .. to at k to the one at k - 2: each v takes the place of the one before it. */
static void step_down(arb_t sum, const struct bar *b, const struct rest *rest, int64_t k,
                      const pby_range_noise *s)
{
    if (b->from > b->to)
        return;
    PBY_ARB(x);
    at(x, rest, k - b->far + 2 * b->from - 2, s);
    arb_addmul(sum, x, b->before, s->prec);
    at(x, rest, k - b->far + 2 * b->to, s);
    arb_submul(sum, x, b->last, s->prec);
    arb_mul(sum, sum, s->decay, s->prec);
}

/* The potential of a bar and the rest at k, where the sum over v = from .. to is known. */
static void all_losses(arb_t out, const struct bar *b, const struct rest *rest, int64_t k, const arb_t sum,
                       const pby_range_noise *s)
{
    PBY_ARB(x);
    arb_add(out, sum, b->infinite, s->prec);
    at(x, rest, k, s);
    arb_addmul(out, x, b->none, s->prec);
    at(x, rest, k - b->far, s);
    arb_addmul(out, x, b->top, s->prec);
    at(x, rest, k + b->far, s);
    arb_addmul(out, x, b->bottom, s->prec);
}

/* From the largest loss down, where the potential of the rest is all infinite mass. */
void pby_range_join(arb_ptr potential, const pby_range_noise *s, arb_srcptr rest, int64_t t, int64_t part)
{
    const struct rest others = {rest, t};
    struct bar b;
    arb_t sum[2];
    bar_init(&b, part, s);
    arb_init(sum[0]);
    arb_init(sum[1]);
    run_bar(sum[0], &b, s);
    arb_mul(sum[0], sum[0], rest + t, s->prec);
    arb_set(sum[1], sum[0]);
    for (int64_t k = t + part; k >= 0; k--) {
        all_losses(potential + k, &b, &others, k, sum[k % 2], s);
        step_down(sum[k % 2], &b, &others, k, s);
    }
    arb_clear(sum[1]);
    arb_clear(sum[0]);
    bar_clear(&b);
}
