/* SPDX-License-Identifier: MIT */
#include "mechanism/exponential/exponential_bounded.h"

#include "number/ball.h"
#include "number/minimise.h"
#include "number/scoped.h"

enum { GUARD = 32 };

void pby_bounded_length_ball(arb_t out, const pby_bounded_length *length, slong prec)
{
    if (length->base == NULL || fmpq_is_zero(length->base)) {
        arb_set_fmpq(out, length->units, prec + GUARD);
        return;
    }
    PBY_ARB(units);
    arb_set_fmpq(units, length->units, prec + GUARD);
    arb_set_fmpq(out, length->base, 2 * prec + GUARD); /* it may be near 1 */
    arb_log(out, out, prec + GUARD);
    arb_mul(out, out, units, prec + GUARD);
}

void pby_bounded_norm(arb_t out, const arb_t length, slong prec)
{
    arb_neg(out, length);
    arb_expm1(out, out, prec);
    arb_neg(out, out);
}

/* Above: P(L > l) = (1 - exp(t - length))/n and Q(L > l) = (exp(-t) - exp(-length))/n, n being the norm.
 * Below: what is left of 1, (exp(t - length) - exp(-length))/n and (1 - exp(-t))/n. */
void pby_bounded_weight(arb_t weight, const arb_t length, const arb_t near, pby_which which, bool above,
                        slong prec)
{
    PBY_ARB(part);
    if ((which == PBY_P) == above) {
        pby_bounded_norm(weight, near, prec);
    } else {
        arb_expm1(weight, near, prec);
        arb_neg(part, length);
        arb_exp(part, part, prec);
        arb_mul(weight, weight, part, prec);
    }
    pby_bounded_norm(part, length, prec);
    arb_div(weight, weight, part, prec);
}

/* ---- Renyi divergences ------------------------------------------------------------------------- */

/* Moves t into the interval; where it is not certain on which side of an end it lies, it is not far from that
 * end. */
static void move_into(arb_t t, const fmpq *from, const fmpq *to, slong prec)
{
    PBY_ARB(end);
    if (from != NULL) {
        arb_set_fmpq(end, from, prec);
        arb_max(t, t, end, prec);
    }
    if (to != NULL) {
        arb_set_fmpq(end, to, prec);
        arb_min(t, t, end, prec);
    }
}

/* The limit at order 1: t - length (exp(t) - 1) exp(-length)/norm, the greatest at t = length +
 * log(norm/length). */
static void relative_entropy(arb_t ball, const arb_t length, const fmpq *from, const fmpq *to, slong prec)
{
    PBY_ARB(t, norm, part);
    pby_bounded_norm(norm, length, prec);
    arb_div(t, norm, length, prec);
    arb_log(t, t, prec);
    arb_add(t, t, length, prec);
    move_into(t, from, to, prec);
    arb_expm1(ball, t, prec);
    arb_neg(part, length);
    arb_exp(part, part, prec);
    arb_mul(ball, ball, part, prec);
    arb_mul(ball, ball, length, prec);
    arb_div(ball, ball, norm, prec);
    arb_sub(ball, t, ball, prec);
}

/* With u = exp(t), the sum of P^a Q^(1-a) over the two outcomes is (A u^(a-1) - B u^a)/norm, A = 1 - exp(-a
 * length) and B = A - norm. */
struct order {
    arb_t a, less, first, second, norm; /* a, a - 1, A, B */
};

static void order_init(struct order *o, const arb_t length, const fmpq_t order, slong prec)
{
    arb_init(o->a);
    arb_init(o->less);
    arb_init(o->first);
    arb_init(o->second);
    arb_init(o->norm);
    arb_set_fmpq(o->a, order, prec);
    arb_sub_ui(o->less, o->a, 1, prec);
    arb_mul(o->first, o->a, length, prec);
    pby_bounded_norm(o->first, o->first, prec);
    pby_bounded_norm(o->norm, length, prec);
    arb_sub(o->second, o->first, o->norm, prec);
}

static void order_clear(struct order *o)
{
    arb_clear(o->norm);
    arb_clear(o->second);
    arb_clear(o->first);
    arb_clear(o->less);
    arb_clear(o->a);
}

/* ball = D_a of the pair t: t + log((A - B exp(t))/norm)/(a - 1) */
static void at_pair(arb_t ball, const struct order *o, const arb_t t, slong prec)
{
    PBY_ARB(sum);
    arb_exp(sum, t, prec);
    arb_mul(sum, sum, o->second, prec);
    arb_sub(sum, o->first, sum, prec);
    arb_div(sum, sum, o->norm, prec);
    arb_log(sum, sum, prec);
    arb_div(sum, sum, o->less, prec);
    arb_add(ball, t, sum, prec);
}

/* The greatest at u = (a-1) A/(a B), which lies in the whole interval. */
void pby_bounded_divergence(arb_t ball, const arb_t length, const fmpq *from, const fmpq *to,
                            const fmpq_t order, slong prec)
{
    struct order o;
    if (fmpq_is_one(order)) {
        relative_entropy(ball, length, from, to, prec);
        return;
    }
    order_init(&o, length, order, prec);
    PBY_ARB(t);
    arb_mul(t, o.less, o.first, prec);
    arb_div(t, t, o.a, prec);
    arb_div(t, t, o.second, prec);
    arb_log(t, t, prec);
    move_into(t, from, to, prec);
    at_pair(ball, &o, t, prec);
    order_clear(&o);
}

/* ---- the direct route -------------------------------------------------------------------------- */

/* exp(t - length) + exp(e - t), convex in t = least + s. */
struct sum {
    const pby_bounded_length *length;
    const fmpq *epsilon, *least;
};

/* out = exp(x - length) */
static void exp_below(arb_t out, const fmpq_t x, const pby_bounded_length *l, slong prec)
{
    PBY_ARB(length);
    pby_bounded_length_ball(length, l, prec);
    arb_set_fmpq(out, x, prec + GUARD);
    arb_sub(out, out, length, prec + GUARD);
    arb_exp(out, out, prec);
}

static pby_status sum_at(arb_t value, const void *what, const fmpq_t s, slong prec, pby_error *err)
{
    (void)err;
    const struct sum *f = what;
    PBY_ARB(other);
    PBY_FMPQ(t, x);
    fmpq_add(t, f->least, s);
    exp_below(value, t, f->length, prec);
    fmpq_sub(x, f->epsilon, t);
    pby_exp_fmpq(other, x, prec);
    arb_add(value, value, other, prec);
    return PBY_OK;
}

/* It is (1 + exp(e - length) - the least sum)/norm. */
pby_status pby_bounded_greatest(arb_t ball, const pby_bounded_length *l, const fmpq_t epsilon,
                                const fmpq_t least, const fmpq_t most, slong prec, pby_error *err)
{
    const struct sum sum = {l, epsilon, least};
    PBY_ARB(part, length);
    PBY_FMPQ(span);
    fmpq_sub(span, most, least);
    const pby_convex f = {.at = sum_at, .what = &sum, .most = span, .absolute = true};
    const pby_status status = pby_minimise(ball, &f, (unsigned)(prec * 3 / 10) + 1, err);
    exp_below(part, epsilon, l, prec);
    arb_sub(ball, part, ball, prec);
    arb_add_ui(ball, ball, 1, prec);
    pby_bounded_length_ball(length, l, prec);
    pby_bounded_norm(part, length, prec);
    arb_div(ball, ball, part, prec);
    return status;
}
