#include "mechanism/exponential/curve.h"

#include <stdlib.h>

#include "number/ball.h"
#include "number/minimise.h"
#include "pair/sided.h"

struct bounded {
    pby_sided base;
    fmpq_t eps, from, to;
};

static const struct bounded *as_bounded(const void *curve)
{
    return curve;
}

/* out = exp(x) - 1 */
static void expm1_fmpq(arb_t out, const fmpq_t x, slong prec)
{
    arb_set_fmpq(out, x, 2 * prec);
    arb_expm1(out, out, prec);
}

/* ---- the law of the loss ----------------------------------------------------------------------- */

/* The pair that is the worst at the loss l: t = (l + eps)/2, moved into the interval. */
static void worst_at(fmpq_t t, const struct bounded *b, const fmpq_t l)
{
    fmpq_add(t, l, b->eps);
    fmpq_div_2exp(t, t, 1);
    if (fmpq_cmp(t, b->from) < 0)
        fmpq_set(t, b->from);
    if (fmpq_cmp(t, b->to) > 0)
        fmpq_set(t, b->to);
}

/* Above: P(L > l) = (1 - exp(t - eps))/n and Q(L > l) = (exp(-t) - exp(-eps))/n, n = 1 - exp(-eps). Below:
 * what is left of 1, (exp(t - eps) - exp(-eps))/n and (1 - exp(-t))/n. */
static void weigh(arb_t weight, const struct bounded *b, pby_which which, const fmpq_t t, bool above,
                  slong prec)
{
    arb_t part;
    fmpq_t x;
    arb_init(part);
    fmpq_init(x);
    if ((which == PBY_P) == above) {
        if (above)
            fmpq_sub(x, t, b->eps);
        else
            fmpq_neg(x, t);
        expm1_fmpq(weight, x, prec);
        arb_neg(weight, weight);
    } else {
        if (above)
            fmpq_sub(x, b->eps, t);
        else
            fmpq_set(x, t);
        expm1_fmpq(weight, x, prec);
        fmpq_neg(x, b->eps);
        pby_exp_fmpq(part, x, prec);
        arb_mul(weight, weight, part, prec);
    }
    fmpq_neg(x, b->eps);
    expm1_fmpq(part, x, prec);
    arb_neg(part, part);
    arb_div(weight, weight, part, prec);
    fmpq_clear(x);
    arb_clear(part);
}

/* The side with the smaller weight is that of the nearer end. */
static bool bounded_side(arb_t weight, const pby_sided *curve, pby_which which, const fmpq_t l, slong prec)
{
    const struct bounded *b = as_bounded(curve);
    fmpq_t t, least;
    fmpq_init(t);
    fmpq_init(least);
    fmpq_sub(least, b->from, b->eps);
    worst_at(t, b, l);
    fmpq_mul_2exp(t, t, 1);
    bool above = fmpq_cmp(t, b->eps) >= 0;
    fmpq_div_2exp(t, t, 1);
    if (fmpq_cmp(l, b->to) >= 0 || fmpq_cmp(l, least) < 0) {
        arb_zero(weight);
        above = fmpq_cmp(l, b->to) >= 0;
    } else {
        weigh(weight, b, which, t, above, prec);
    }
    fmpq_clear(least);
    fmpq_clear(t);
    return above;
}

static void bounded_largest(arb_t ball, const pby_curve *curve, slong prec)
{
    arb_set_fmpq(ball, as_bounded(curve)->to, prec);
}

static void bounded_smallest(arb_t ball, const pby_curve *curve, slong prec)
{
    const struct bounded *b = as_bounded(curve);
    fmpq_t least;
    fmpq_init(least);
    fmpq_sub(least, b->from, b->eps);
    arb_set_fmpq(ball, least, prec);
    fmpq_clear(least);
}

/* The two ends have chances of their own, all between them a density. */
static bool bounded_unit(fmpq_t unit, const pby_curve *curve)
{
    const struct bounded *b = as_bounded(curve);
    fmpq_t least;
    fmpq_init(least);
    fmpq_sub(least, b->eps, b->from);
    fmpq_gcd(unit, b->to, least);
    fmpq_clear(least);
    return fmpq_equal(b->from, b->to);
}

/* ---- Renyi divergences ------------------------------------------------------------------------- */

/* With u = exp(t), the sum of P^a Q^(1-a) over the two outcomes is (A u^(a-1) - B u^a)/(1 - exp(-eps)), A = 1
 * - exp(-a eps) and B = exp(-eps) - exp(-a eps), whose divergence is the greatest at u = (a-1) A/(a B). */
struct order {
    arb_t a, first, second, norm;
};

static void order_init(struct order *o, const struct bounded *b, const fmpq_t order, slong prec)
{
    fmpq_t x;
    fmpq_init(x);
    arb_init(o->a);
    arb_init(o->first);
    arb_init(o->second);
    arb_init(o->norm);
    arb_set_fmpq(o->a, order, prec);
    fmpq_mul(x, order, b->eps);
    fmpq_neg(x, x);
    expm1_fmpq(o->first, x, prec);
    arb_neg(o->first, o->first);
    fmpq_neg(x, b->eps);
    expm1_fmpq(o->norm, x, prec);
    arb_neg(o->norm, o->norm);
    arb_sub(o->second, o->first, o->norm, prec);
    fmpq_clear(x);
}

static void order_clear(struct order *o)
{
    arb_clear(o->norm);
    arb_clear(o->second);
    arb_clear(o->first);
    arb_clear(o->a);
}

/* Moves t into the interval; where it is not certain on which side of an end it lies, it is not far from that
 * end. */
static void move_into(arb_t t, const struct bounded *b, slong prec)
{
    arb_t end;
    arb_init(end);
    arb_set_fmpq(end, b->from, prec);
    arb_max(t, t, end, prec);
    arb_set_fmpq(end, b->to, prec);
    arb_min(t, t, end, prec);
    arb_clear(end);
}

/* ball = D_a of the pair t */
static void at_pair(arb_t ball, const struct order *o, const arb_t t, slong prec)
{
    arb_t less, power;
    arb_init(less);
    arb_init(power);
    arb_sub_ui(less, o->a, 1, prec);
    arb_exp(power, t, prec);
    arb_mul(power, power, o->second, prec);
    arb_sub(power, o->first, power, prec);
    arb_div(power, power, o->norm, prec);
    arb_log(power, power, prec);
    arb_mul(ball, t, less, prec);
    arb_add(ball, ball, power, prec);
    arb_div(ball, ball, less, prec);
    arb_clear(power);
    arb_clear(less);
}

/* The limit at order 1: t - eps (exp(t - eps) - exp(-eps))/(1 - exp(-eps)), the greatest at t = eps + log((1
 * - exp(-eps))/eps). */
static void relative_entropy(arb_t ball, const struct bounded *b, slong prec)
{
    arb_t t, eps, norm;
    fmpq_t x;
    arb_init(t);
    arb_init(eps);
    arb_init(norm);
    fmpq_init(x);
    arb_set_fmpq(eps, b->eps, prec);
    fmpq_neg(x, b->eps);
    expm1_fmpq(norm, x, prec);
    arb_neg(norm, norm);
    arb_div(t, norm, eps, prec);
    arb_log(t, t, prec);
    arb_add(t, t, eps, prec);
    move_into(t, b, prec);
    arb_expm1(ball, t, prec);
    pby_exp_fmpq(norm, x, prec);
    arb_mul(ball, ball, norm, prec);
    arb_mul(ball, ball, eps, prec);
    expm1_fmpq(norm, x, prec);
    arb_div(ball, ball, norm, prec);
    arb_add(ball, ball, t, prec);
    fmpq_clear(x);
    arb_clear(norm);
    arb_clear(eps);
    arb_clear(t);
}

/* Of the pairs that the curve stands for, and not of the curve: what a mechanism that has such pairs is asked
 * for. */
static pby_status bounded_renyi(arb_t ball, const pby_curve *curve, const fmpq_t order, slong prec,
                                pby_error *err)
{
    (void)err;
    const struct bounded *b = as_bounded(curve);
    struct order o;
    arb_t t;
    if (fmpq_is_one(order)) {
        relative_entropy(ball, b, prec);
        return PBY_OK;
    }
    order_init(&o, b, order, prec);
    arb_init(t);
    arb_sub_ui(t, o.a, 1, prec);
    arb_mul(t, t, o.first, prec);
    arb_div(t, t, o.a, prec);
    arb_div(t, t, o.second, prec);
    arb_log(t, t, prec);
    move_into(t, b, prec);
    at_pair(ball, &o, t, prec);
    arb_clear(t);
    order_clear(&o);
    return PBY_OK;
}

/* ---- the direct route -------------------------------------------------------------------------- */

/* exp(t - eps) + exp(e - t), convex in t = least + s. */
struct sum {
    const struct bounded *curve;
    const fmpq *epsilon, *least;
};

static pby_status sum_at(arb_t value, const void *what, const fmpq_t s, slong prec, pby_error *err)
{
    (void)err;
    const struct sum *f = what;
    arb_t other;
    fmpq_t t, x;
    arb_init(other);
    fmpq_init(t);
    fmpq_init(x);
    fmpq_add(t, f->least, s);
    fmpq_sub(x, t, f->curve->eps);
    pby_exp_fmpq(value, x, prec);
    fmpq_sub(x, f->epsilon, t);
    pby_exp_fmpq(other, x, prec);
    arb_add(value, value, other, prec);
    fmpq_clear(x);
    fmpq_clear(t);
    arb_clear(other);
    return PBY_OK;
}

/* The greatest D_t(exp(e)) is (1 + exp(e - eps) - the least sum)/(1 - exp(-eps)), over t from least to most.
 */
static pby_status greatest(arb_t ball, const struct bounded *b, const fmpq_t epsilon, const fmpq_t least,
                           const fmpq_t most, slong prec, pby_error *err)
{
    const struct sum sum = {b, epsilon, least};
    arb_t part;
    fmpq_t x;
    arb_init(part);
    fmpq_init(x);
    fmpq_sub(x, most, least);
    const pby_convex f = {.at = sum_at, .what = &sum, .most = x, .absolute = true};
    const pby_status status = pby_minimise(ball, &f, (unsigned)(prec * 3 / 10) + 1, err);
    fmpq_sub(x, epsilon, b->eps);
    pby_exp_fmpq(part, x, prec);
    arb_sub(ball, part, ball, prec);
    arb_add_ui(ball, ball, 1, prec);
    fmpq_neg(x, b->eps);
    expm1_fmpq(part, x, prec);
    arb_neg(part, part);
    arb_div(ball, ball, part, prec);
    fmpq_clear(x);
    arb_clear(part);
    return status;
}

/* Only pairs with t - eps <= e <= t have more than their ends tell. */
static pby_status bounded_direct(arb_t ball, const pby_curve *curve, const fmpq_t epsilon, slong prec,
                                 pby_error *err)
{
    const struct bounded *b = as_bounded(curve);
    pby_status status = PBY_OK;
    fmpq_t least, most;
    fmpq_init(least);
    fmpq_init(most);
    fmpq_set(least, fmpq_cmp(epsilon, b->from) > 0 ? epsilon : b->from);
    fmpq_add(most, epsilon, b->eps);
    if (fmpq_cmp(most, b->to) > 0)
        fmpq_set(most, b->to);
    if (fmpq_cmp(epsilon, b->to) >= 0) {
        arb_zero(ball);
    } else if (fmpq_cmp(most, least) < 0) {
        expm1_fmpq(ball, epsilon, prec);
        arb_neg(ball, ball);
    } else {
        status = greatest(ball, b, epsilon, least, most, prec, err);
    }
    fmpq_clear(most);
    fmpq_clear(least);
    return status;
}

/* ---- the curve -------------------------------------------------------------------------------- */

static void bounded_free(pby_curve *curve)
{
    struct bounded *b = (struct bounded *)curve;
    fmpq_clear(b->eps);
    fmpq_clear(b->from);
    fmpq_clear(b->to);
    free(b);
}

static const pby_curve_class BOUNDED = {
    .tails = pby_sided_tails,
    .cells = pby_sided_cells,
    .renyi = bounded_renyi,
    .direct = bounded_direct,
    .largest = bounded_largest,
    .smallest = bounded_smallest,
    .unit = bounded_unit,
    .free = bounded_free,
};

pby_status pby_bounded_curve(pby_curve **out, const fmpq_t eps, const fmpq_t from, const fmpq_t to,
                             pby_error *err)
{
    *out = NULL;
    struct bounded *b = malloc(sizeof *b);
    if (b == NULL)
        return pby_no_memory(err);
    b->base = (pby_sided){.base.class = &BOUNDED, .side = bounded_side};
    fmpq_init(b->eps);
    fmpq_init(b->from);
    fmpq_init(b->to);
    fmpq_set(b->eps, eps);
    fmpq_set(b->from, from);
    fmpq_set(b->to, to);
    *out = &b->base.base;
    return PBY_OK;
}
