/* SPDX-License-Identifier: MIT */
#include "mechanism/choosing/choosing_curve.h"

#include <stdlib.h>

#include "number/ball.h"
#include "number/integral.h"
#include "number/scoped.h"
#include "pair/sided.h"

struct clock {
    pby_sided base;
    fmpq_t eps, counts;
    bool reversed;
};

static const struct clock *as_clock(const void *curve)
{
    return curve;
}

/* c - 1 */
static void excess_rate(arb_t out, const struct clock *c, slong prec)
{
    arb_set_fmpq(out, c->eps, 2 * prec);
    pby_expm1(out, out, prec);
}

/* The chance that the count's loss is +counts, of which `which` says whether the input lacks the record; and
 * that it is -counts, for the other. */
static void plus_chance(arb_t out, const struct clock *c, bool lacks, slong prec)
{
    PBY_FMPQ(x);
    if (lacks)
        fmpq_neg(x, c->counts);
    else
        fmpq_set(x, c->counts);
    pby_exp_fmpq(out, x, prec);
    arb_add_ui(out, out, 1, prec);
    arb_inv(out, out, prec);
}

/* -rate s/(c - 1), the logarithm of the chance that the clock's loss is more than s above its least. */
static void log_later(arb_t out, const struct clock *c, bool lacks, const fmpq_t s, slong prec)
{
    PBY_ARB(rate);
    excess_rate(rate, c, prec);
    arb_set_fmpq(out, s, prec);
    arb_div(out, out, rate, prec);
    if (!lacks)
        arb_addmul(out, out, rate, prec);
    arb_neg(out, out);
}

/* One side of t of the loss of the input that lacks the record, under it or under the other; returns whether
 * it is the side above. Let low = t + eps - counts and high = t + eps + counts be how far t lies above the
 * least loss with the count's loss + and -. Below low = 0 all of + is above t. */
static bool plain_side(arb_t weight, const struct clock *c, bool lacks, const fmpq_t t, slong prec)
{
    PBY_FMPQ(low, high);
    PBY_ARB(chance, part);
    fmpq_add(low, t, c->eps);
    fmpq_add(high, low, c->counts);
    fmpq_sub(low, low, c->counts);
    const bool above = fmpq_sgn(low) >= 0;
    plus_chance(chance, c, lacks, prec);
    if (above) {
        log_later(weight, c, lacks, low, prec);
        arb_exp(weight, weight, prec);
        arb_mul(weight, weight, chance, prec);
        plus_chance(chance, c, !lacks, prec);
        log_later(part, c, lacks, high, prec);
        arb_exp(part, part, prec);
        arb_addmul(weight, part, chance, prec);
    } else if (fmpq_sgn(high) > 0) {
        plus_chance(chance, c, !lacks, prec);
        log_later(weight, c, lacks, high, prec);
        pby_expm1(weight, weight, prec);
        arb_neg(weight, weight);
        arb_mul(weight, weight, chance, prec);
    } else {
        arb_zero(weight);
    }
    return above;
}

/* In the reverse order L > t is the plain loss below -t, where no loss has a chance of its own. */
static bool clock_side(arb_t weight, const pby_sided *curve, pby_which which, const fmpq_t t, slong prec)
{
    const struct clock *c = as_clock(curve);
    if (!c->reversed)
        return plain_side(weight, c, which == PBY_P, t, prec);
    PBY_FMPQ(other);
    fmpq_neg(other, t);
    const bool above = plain_side(weight, c, which == PBY_Q, other, prec);
    return !above;
}

/* The least loss of the input that lacks the record is -(eps + counts), and it has no largest. */
static void clock_largest(arb_t ball, const pby_curve *curve, slong prec)
{
    const struct clock *c = as_clock(curve);
    PBY_FMPQ(sum);
    fmpq_add(sum, c->eps, c->counts);
    arb_set_fmpq(ball, sum, prec);
    if (!c->reversed)
        arb_pos_inf(ball);
}

static void clock_smallest(arb_t ball, const pby_curve *curve, slong prec)
{
    const struct clock *c = as_clock(curve);
    PBY_FMPQ(sum);
    fmpq_add(sum, c->eps, c->counts);
    arb_set_fmpq(ball, sum, prec);
    if (c->reversed)
        arb_pos_inf(ball);
    arb_neg(ball, ball);
}

/* ---- Renyi divergences ------------------------------------------------------------------------ */

/* The divergence of the count, which is alike in both orders. */
static void count_renyi(arb_t ball, const struct clock *c, const fmpq_t order, slong prec)
{
    PBY_FMPQ(less, x);
    PBY_ARB(chance, part);
    fmpq_sub_si(less, order, 1);
    fmpq_mul(x, less, c->counts);
    plus_chance(chance, c, true, prec);
    if (fmpq_is_zero(less)) {
        arb_mul_2exp_si(ball, chance, 1);
        arb_sub_ui(ball, ball, 1, prec);
        arb_set_fmpq(part, c->counts, prec);
        arb_mul(ball, ball, part, prec);
    } else {
        pby_exp_fmpq(ball, x, prec);
        arb_mul(ball, ball, chance, prec);
        plus_chance(chance, c, false, prec);
        fmpq_neg(x, x);
        pby_exp_fmpq(part, x, prec);
        arb_addmul(ball, part, chance, prec);
        arb_log(ball, ball, prec);
        arb_set_fmpq(part, less, prec);
        arb_div(ball, ball, part, prec);
    }
}

/* The divergence of exponential times of rates 1 and c: log(p^a q^(1-a)/(a p + (1-a) q))/(a-1), infinite
 * where the sum is not above 0; log(p/q) + q/p - 1 at order 1. */
static void clock_times(arb_t ball, const struct clock *c, const fmpq_t order, slong prec)
{
    PBY_FMPQ(less, x);
    PBY_ARB(sum, rate);
    fmpq_sub_si(less, order, 1);
    fmpq_set(x, c->eps);
    if (!c->reversed)
        fmpq_neg(x, x);
    /* In the unit of q: p/q = exp(x). */
    pby_exp_fmpq(rate, x, prec);
    if (fmpq_is_zero(less)) {
        arb_set_fmpq(ball, x, prec);
        arb_inv(rate, rate, prec);
        arb_add(ball, ball, rate, prec);
        arb_sub_ui(ball, ball, 1, prec);
    } else {
        arb_sub_ui(sum, rate, 1, prec);
        arb_set_fmpq(ball, order, prec);
        arb_mul(sum, sum, ball, prec);
        arb_add_ui(sum, sum, 1, prec);
        fmpq_mul(x, x, order);
        if (arb_is_positive(sum)) {
            arb_set_fmpq(ball, x, prec);
            arb_log(sum, sum, prec);
            arb_sub(ball, ball, sum, prec);
            arb_set_fmpq(sum, less, prec);
            arb_div(ball, ball, sum, prec);
        } else if (arb_is_negative(sum)) {
            arb_pos_inf(ball);
        } else {
            arb_zero_pm_inf(ball);
        }
    }
}

static pby_status clock_renyi(arb_t ball, const pby_curve *curve, const fmpq_t order, slong prec,
                              pby_error *err)
{
    (void)err;
    PBY_ARB(count);
    clock_times(ball, as_clock(curve), order, prec);
    count_renyi(count, as_clock(curve), order, prec);
    arb_add(ball, ball, count, prec);
    return PBY_OK;
}

/* ---- the direct route ------------------------------------------------------------------------- */

/* p exp(-rate_p t) - q exp(-rate_q t) at t = from + scale u */
struct excess {
    arb_t p, q, rate_p, rate_q, from, scale;
};

static void excess_at(acb_t value, const acb_t u, const void *what, slong prec)
{
    const struct excess *f = what;
    PBY_ACB(t, part);
    acb_mul_arb(t, u, f->scale, prec);
    acb_add_arb(t, t, f->from, prec);
    acb_neg(t, t);
    acb_mul_arb(part, t, f->rate_p, prec);
    acb_exp(part, part, prec);
    acb_mul_arb(value, part, f->p, prec);
    acb_mul_arb(part, t, f->rate_q, prec);
    acb_exp(part, part, prec);
    acb_mul_arb(part, part, f->q, prec);
    acb_sub(value, value, part, prec);
}

static void excess_init(struct excess *f)
{
    arb_init(f->p), arb_init(f->q), arb_init(f->rate_p), arb_init(f->rate_q), arb_init(f->from),
        arb_init(f->scale);
}

static void excess_clear(struct excess *f)
{
    arb_clear(f->p), arb_clear(f->q), arb_clear(f->rate_p), arb_clear(f->rate_q), arb_clear(f->from),
        arb_clear(f->scale);
}

/* Sets the densities of one outcome of the count: its loss under P is +counts or -counts. */
static void set_densities(struct excess *f, const struct clock *c, bool plus, const fmpq_t epsilon,
                          slong prec)
{
    PBY_ARB(growth);
    arb_one(f->rate_p);
    pby_exp_fmpq(f->rate_q, c->eps, prec);
    if (c->reversed)
        arb_swap(f->rate_p, f->rate_q);
    plus_chance(f->p, c, plus, prec);
    plus_chance(f->q, c, !plus, prec);
    pby_exp_fmpq(growth, epsilon, prec);
    arb_mul(f->p, f->p, f->rate_p, prec);
    arb_mul(f->q, f->q, f->rate_q, prec);
    arb_mul(f->q, f->q, growth, prec);
}

/* Adds the positive part's integral. With s = epsilon - (the count's loss) the densities cross at (eps +
 * s)/(c - 1), or at (eps - s)/(c - 1) in the reverse, where the positive part lies before. Beyond `far` units
 * of time lies less than exp(-far). */
static void add_outcome(arb_t ball, const struct clock *c, bool plus, const fmpq_t epsilon, slong prec)
{
    struct excess f;
    excess_init(&f);
    PBY_FMPQ(cross, zero, end);
    PBY_ARB(part, rate);
    set_densities(&f, c, plus, epsilon, prec);
    if (plus)
        fmpq_sub(cross, epsilon, c->counts);
    else
        fmpq_add(cross, epsilon, c->counts);
    if (c->reversed)
        fmpq_neg(cross, cross);
    fmpq_add(cross, cross, c->eps);
    if (fmpq_sgn(cross) < 0)
        fmpq_zero(cross);
    excess_rate(rate, c, prec);
    arb_set_fmpq(part, cross, prec);
    arb_div(part, part, rate, prec);
    if (c->reversed) {
        arb_set(f.scale, part);
        fmpq_one(end);
    } else {
        arb_set(f.from, part);
        arb_one(f.scale);
        fmpq_set_si(end, prec, 1);
    }
    pby_integral(part, excess_at, &f, zero, end, prec);
    arb_mul(part, part, f.scale, prec);
    if (!c->reversed)
        arb_add_error_2exp_si(part, -prec);
    arb_add(ball, ball, part, prec);
    excess_clear(&f);
}

static pby_status clock_direct(arb_t ball, const pby_curve *curve, const fmpq_t epsilon, slong prec,
                               pby_error *err)
{
    (void)err;
    arb_zero(ball);
    add_outcome(ball, as_clock(curve), true, epsilon, prec);
    add_outcome(ball, as_clock(curve), false, epsilon, prec);
    return PBY_OK;
}

/* ---- the curve -------------------------------------------------------------------------------- */

static void clock_free(pby_curve *curve)
{
    struct clock *c = (struct clock *)curve;
    fmpq_clear(c->eps);
    fmpq_clear(c->counts);
    free(c);
}

static const pby_curve_class CLOCK = {
    .tails = pby_sided_tails,
    .cells = pby_sided_cells,
    .renyi = clock_renyi,
    .direct = clock_direct,
    .largest = clock_largest,
    .smallest = clock_smallest,
    .heavy = true,
    .free = clock_free,
};

pby_status pby_clock_curve(pby_curve **out, const fmpq_t eps, const fmpq_t counts, bool reversed,
                           pby_error *err)
{
    *out = NULL;
    struct clock *c = malloc(sizeof *c);
    if (c == NULL)
        return pby_no_memory(err);
    c->base = (pby_sided){.base.class = &CLOCK, .side = clock_side};
    c->reversed = reversed;
    fmpq_init(c->eps);
    fmpq_init(c->counts);
    fmpq_set(c->eps, eps);
    fmpq_set(c->counts, counts);
    *out = &c->base.base;
    return PBY_OK;
}
