/* SPDX-License-Identifier: MIT */
#include "mechanism/threshold/new.h"

#include <stdlib.h>

#include "law/law_exponential.h"
#include "number/ball.h"
#include "number/scoped.h"

struct new_bars {
    pby_curve base;
    fmpq_t rate;
    int64_t threshold, s;
    bool without;
};

static const struct new_bars *as_new_bars(const pby_curve *curve)
{
    return (const struct new_bars *)curve;
}

/* The logarithm of P(count + noise < T), with its full relative precision: the tail beyond is a^n / (1+a),
 * for n = T - count where that is above 0, and the chance itself a^n / (1+a), for n = count - T + 1, where it
 * is not. */
static void log_silence_of_one(arb_t out, const struct new_bars *b, int64_t count, slong prec)
{
    const int64_t gap = b->threshold - count;
    PBY_ARB(norm);
    pby_minus_rates(norm, b->rate, 1, prec);
    arb_exp(norm, norm, prec);
    pby_minus_rates(out, b->rate, gap > 0 ? gap : 1 - gap, prec);
    if (gap > 0) {
        arb_exp(out, out, prec);
        arb_add_ui(norm, norm, 1, prec);
        arb_div(out, out, norm, prec);
        arb_neg(out, out);
        arb_log1p(out, out, prec);
    } else {
        arb_log1p(norm, norm, prec);
        arb_sub(out, out, norm, prec);
    }
}

/* log q */
static void log_silence(arb_t out, const struct new_bars *b, slong prec)
{
    PBY_ARB(many);
    log_silence_of_one(many, b, 1, prec);
    arb_mul_si(many, many, b->s, prec);
    log_silence_of_one(out, b, b->s, prec);
    arb_min(out, out, many, prec);
}

/* The loss where nothing is published, which is the largest that is finite. */
static void new_bars_largest(arb_t ball, const pby_curve *curve, slong prec)
{
    const struct new_bars *b = as_new_bars(curve);
    log_silence(ball, b, prec);
    if (b->without)
        arb_neg(ball, ball);
}

static void new_bars_infinite(arb_t ball, const pby_curve *curve, slong prec)
{
    const struct new_bars *b = as_new_bars(curve);
    arb_zero(ball);
    if (b->without)
        return;
    log_silence(ball, b, prec);
    pby_expm1(ball, ball, prec);
    arb_neg(ball, ball);
}

/* The chances of silence under P and under Q. */
static void silences(arb_t p, arb_t q, const struct new_bars *b, slong prec)
{
    arb_one(p);
    log_silence(q, b, prec);
    arb_exp(q, q, prec);
    if (!b->without)
        arb_swap(p, q);
}

static pby_status new_bars_tails(arb_t p, arb_t q, const pby_curve *curve, const fmpq_t t, slong prec,
                                 pby_error *err)
{
    (void)err;
    PBY_ARB(loss, at, none);
    new_bars_largest(loss, curve, prec);
    arb_set_fmpq(at, t, 2 * prec);
    silences(p, q, as_new_bars(curve), prec);
    if (arb_le(loss, at)) {
        arb_zero(p);
        arb_zero(q);
    } else if (!arb_gt(loss, at)) {
        arb_union(p, p, none, prec);
        arb_union(q, q, none, prec);
    }
    new_bars_infinite(none, curve, prec);
    arb_add(p, p, none, prec);
    return PBY_OK;
}

/* Over the two outcomes: something is published, or nothing. */
static pby_status new_bars_direct(arb_t ball, const pby_curve *curve, const fmpq_t epsilon, slong prec,
                                  pby_error *err)
{
    (void)err;
    PBY_ARB(p, q, growth);
    silences(p, q, as_new_bars(curve), prec);
    arb_set_fmpq(growth, epsilon, 2 * prec);
    arb_exp(growth, growth, prec);
    arb_submul(p, q, growth, prec);
    new_bars_infinite(ball, curve, prec);
    arb_zero(q);
    arb_max(p, p, q, prec);
    arb_add(ball, ball, p, prec);
    return PBY_OK;
}

static void new_bars_free(pby_curve *curve)
{
    fmpq_clear(((struct new_bars *)curve)->rate);
    free(curve);
}

static const pby_curve_class NEW_BARS = {
    .tails = new_bars_tails,
    .direct = new_bars_direct,
    .largest = new_bars_largest,
    .infinite = new_bars_infinite,
    .free = new_bars_free,
};

pby_status pby_pair_new_bars(pby_pair *pair, const fmpq_t rate, int64_t threshold, int64_t s, bool without,
                             pby_error *err)
{
    struct new_bars *b = malloc(sizeof *b);
    if (b == NULL)
        return pby_no_memory(err);
    *b = (struct new_bars){.base = {.class = &NEW_BARS}, .threshold = threshold, .s = s, .without = without};
    fmpq_init(b->rate);
    fmpq_set(b->rate, rate);
    pair->curve = &b->base;
    return PBY_OK;
}
