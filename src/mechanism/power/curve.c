#include <stdlib.h>

#include "mechanism/power/power.h"
#include "number/ball.h"
#include "number/minimise.h"
#include "pair/sided.h"

enum { GUARD = 32 };

struct power {
    pby_sided base;
    fmpq_t of; /* the base of the logarithm's argument */
    uint64_t units;
};

/* out = the length: units log(base) */
static void length_of(arb_t out, const struct power *c, slong prec)
{
    arb_set_fmpq(out, c->of, prec + GUARD);
    arb_log(out, out, prec + GUARD);
    arb_mul_ui(out, out, c->units, prec + GUARD);
}

/* The sign of a rational less the length. The exponential of a rational other than 0 is no rational, so that
 * they differ and some precision decides. */
static int against_length(const fmpq_t x, const struct power *c)
{
    arb_t at, length;
    int sign = 0;
    arb_init(at);
    arb_init(length);
    for (slong prec = PBY_PRECISION_FIRST; sign == 0; prec *= 2) {
        arb_set_fmpq(at, x, prec);
        length_of(length, c, prec);
        sign = arb_gt(at, length) ? 1 : arb_lt(at, length) ? -1 : 0;
    }
    arb_clear(length);
    arb_clear(at);
    return sign;
}

/* 1 above the interval from -length to length, -1 below, 0 inside. */
static int beside(const fmpq_t x, const struct power *c)
{
    fmpq_t size;
    fmpq_init(size);
    fmpq_abs(size, x);
    const int sign = against_length(size, c) > 0 ? fmpq_sgn(x) : 0;
    fmpq_clear(size);
    return sign;
}

/* out = 1 - exp(-length) */
static void norm_of(arb_t out, const arb_t length, slong prec)
{
    arb_neg(out, length);
    arb_expm1(out, out, prec);
    arb_neg(out, out);
}

/* ---- the law of the loss ----------------------------------------------------------------------- */

/* At l the pair t = (l + length)/2 is the worst; the weights are those of exponential/curve.c. */
static void weigh(arb_t weight, const struct power *c, pby_which which, const fmpq_t l, bool above,
                  slong prec)
{
    arb_t length, t, part;
    arb_init(length);
    arb_init(t);
    arb_init(part);
    length_of(length, c, prec);
    arb_set_fmpq(t, l, prec + GUARD);
    arb_add(t, t, length, prec + GUARD);
    arb_mul_2exp_si(t, t, -1);
    if (above)
        arb_sub(t, length, t, prec + GUARD); /* the distance to the nearer end */
    if ((which == PBY_P) == above) {
        arb_neg(weight, t);
        arb_expm1(weight, weight, prec);
        arb_neg(weight, weight);
    } else {
        arb_expm1(weight, t, prec);
        arb_neg(part, length);
        arb_exp(part, part, prec);
        arb_mul(weight, weight, part, prec);
    }
    norm_of(part, length, prec);
    arb_div(weight, weight, part, prec);
    arb_clear(part);
    arb_clear(t);
    arb_clear(length);
}

static bool power_side(arb_t weight, const pby_sided *curve, pby_which which, const fmpq_t l, slong prec)
{
    const struct power *c = (const struct power *)curve;
    const int place = beside(l, c);
    const bool above = fmpq_sgn(l) >= 0;
    if (place == 0)
        weigh(weight, c, which, l, above, prec);
    else
        arb_zero(weight);
    return above;
}

static void power_largest(arb_t ball, const pby_curve *curve, slong prec)
{
    length_of(ball, (const struct power *)curve, prec);
}

static void power_smallest(arb_t ball, const pby_curve *curve, slong prec)
{
    power_largest(ball, curve, prec);
    arb_neg(ball, ball);
}

/* ---- Renyi divergences ------------------------------------------------------------------------- */

/* The limit at order 1: t - length (exp(t) - 1) exp(-length)/norm, the greatest at t = length +
 * log(norm/length). */
static void relative_entropy(arb_t ball, const arb_t length, slong prec)
{
    arb_t t, norm, part;
    arb_init(t);
    arb_init(norm);
    arb_init(part);
    norm_of(norm, length, prec);
    arb_div(t, norm, length, prec);
    arb_log(t, t, prec);
    arb_add(t, t, length, prec);
    arb_expm1(ball, t, prec);
    arb_neg(part, length);
    arb_exp(part, part, prec);
    arb_mul(ball, ball, part, prec);
    arb_mul(ball, ball, length, prec);
    arb_div(ball, ball, norm, prec);
    arb_sub(ball, t, ball, prec);
    arb_clear(part);
    arb_clear(norm);
    arb_clear(t);
}

/* With u = exp(t) the sum of P^a Q^(1-a) over the two outcomes is (A u^(a-1) - B u^a)/norm, A = 1 - exp(-a
 * length) and B = A - norm; its divergence is the greatest at u = (a-1) A/(a B), which lies in the interval
 * of t. */
static void divergence(arb_t ball, const arb_t length, const fmpq_t order, slong prec)
{
    arb_t a, less, first, norm, second, t;
    arb_init(a);
    arb_init(less);
    arb_init(first);
    arb_init(norm);
    arb_init(second);
    arb_init(t);
    arb_set_fmpq(a, order, prec);
    arb_sub_ui(less, a, 1, prec);
    arb_mul(t, a, length, prec);
    norm_of(first, t, prec);
    norm_of(norm, length, prec);
    arb_sub(second, first, norm, prec);
    arb_mul(t, less, first, prec);
    arb_div(t, t, a, prec);
    arb_div(t, t, second, prec); /* u */
    arb_mul(second, second, t, prec);
    arb_sub(ball, first, second, prec);
    arb_div(ball, ball, norm, prec);
    arb_log(ball, ball, prec);
    arb_log(t, t, prec);
    arb_div(ball, ball, less, prec);
    arb_add(ball, ball, t, prec);
    arb_clear(t);
    arb_clear(second);
    arb_clear(norm);
    arb_clear(first);
    arb_clear(less);
    arb_clear(a);
}

/* Of the pairs that the curve stands for, and not of the curve. */
static pby_status power_renyi(arb_t ball, const pby_curve *curve, const fmpq_t order, slong prec,
                              pby_error *err)
{
    (void)err;
    arb_t length;
    arb_init(length);
    length_of(length, (const struct power *)curve, prec);
    if (fmpq_is_one(order))
        relative_entropy(ball, length, prec);
    else
        divergence(ball, length, order, prec);
    arb_clear(length);
    return PBY_OK;
}

/* ---- the direct route -------------------------------------------------------------------------- */

/* exp(t - length) + exp(e - t), convex in t = least + s. */
struct sum {
    const struct power *curve;
    const fmpq *epsilon, *least;
};

static pby_status sum_at(arb_t value, const void *what, const fmpq_t s, slong prec, pby_error *err)
{
    (void)err;
    const struct sum *f = what;
    arb_t other, length;
    fmpq_t t, x;
    arb_init(other);
    arb_init(length);
    fmpq_init(t);
    fmpq_init(x);
    fmpq_add(t, f->least, s);
    length_of(length, f->curve, prec);
    arb_set_fmpq(value, t, prec + GUARD);
    arb_sub(value, value, length, prec + GUARD);
    arb_exp(value, value, prec);
    fmpq_sub(x, f->epsilon, t);
    pby_exp_fmpq(other, x, prec);
    arb_add(value, value, other, prec);
    fmpq_clear(x);
    fmpq_clear(t);
    arb_clear(length);
    arb_clear(other);
    return PBY_OK;
}

/* The greatest D_t(exp(e)) is (1 + exp(e - length) - the least sum)/norm. The least is at t = (e +
 * length)/2, so that the ends of the interval need not be met exactly. */
static pby_status greatest(arb_t ball, const struct power *c, const fmpq_t epsilon, slong prec,
                           pby_error *err)
{
    arb_t length, part;
    arf_t end;
    fmpq_t least, most;
    arb_init(length);
    arb_init(part);
    arf_init(end);
    fmpq_init(least);
    fmpq_init(most);
    if (fmpq_sgn(epsilon) > 0)
        fmpq_set(least, epsilon);
    length_of(length, c, prec);
    arb_get_ubound_arf(end, length, PBY_PRECISION_FIRST);
    arf_get_fmpq(most, end);
    fmpq_sub(most, most, least);
    const struct sum sum = {c, epsilon, least};
    const pby_convex f = {.at = sum_at, .what = &sum, .most = most, .absolute = true};
    const pby_status status = pby_minimise(ball, &f, (unsigned)(prec * 3 / 10) + 1, err);
    arb_set_fmpq(part, epsilon, prec + GUARD);
    arb_sub(part, part, length, prec + GUARD);
    arb_exp(part, part, prec);
    arb_sub(ball, part, ball, prec);
    arb_add_ui(ball, ball, 1, prec);
    norm_of(part, length, prec);
    arb_div(ball, ball, part, prec);
    fmpq_clear(most);
    fmpq_clear(least);
    arf_clear(end);
    arb_clear(part);
    arb_clear(length);
    return status;
}

static pby_status power_direct(arb_t ball, const pby_curve *curve, const fmpq_t epsilon, slong prec,
                               pby_error *err)
{
    const struct power *c = (const struct power *)curve;
    const int place = beside(epsilon, c);
    if (place == 0)
        return greatest(ball, c, epsilon, prec, err);
    arb_zero(ball);
    if (place < 0) {
        pby_exp_fmpq(ball, epsilon, prec);
        arb_sub_ui(ball, ball, 1, prec);
        arb_neg(ball, ball);
    }
    return PBY_OK;
}

/* ---- the curve -------------------------------------------------------------------------------- */

static void power_free(pby_curve *curve)
{
    struct power *c = (struct power *)curve;
    fmpq_clear(c->of);
    free(c);
}

static const pby_curve_class POWER = {
    .tails = pby_sided_tails,
    .cells = pby_sided_cells,
    .renyi = power_renyi,
    .direct = power_direct,
    .largest = power_largest,
    .smallest = power_smallest,
    .free = power_free,
};

pby_status pby_power_curve(pby_curve **out, const fmpq_t base, uint64_t units, pby_error *err)
{
    *out = NULL;
    struct power *c = malloc(sizeof *c);
    if (c == NULL)
        return pby_no_memory(err);
    c->base = (pby_sided){.base.class = &POWER, .side = power_side};
    c->units = units;
    fmpq_init(c->of);
    fmpq_set(c->of, base);
    *out = &c->base.base;
    return PBY_OK;
}
