/* SPDX-License-Identifier: MIT */
#include "estimate/estimate_cell.h"

#include "number/ball.h"
#include "number/scoped.h"

struct quotient {
    pby_expsum_t top, bottom;
};

static void quotient_init(struct quotient *x)
{
    pby_expsum_init(x->top);
    pby_expsum_init(x->bottom);
}

static void quotient_clear(struct quotient *x)
{
    pby_expsum_clear(x->bottom);
    pby_expsum_clear(x->top);
}

static pby_status quotient_ball(arb_t ball, const void *what, slong prec, pby_error *err)
{
    (void)err;
    const struct quotient *x = what;
    PBY_ARB(bottom);
    pby_expsum_get_arb(ball, x->top, prec);
    pby_expsum_get_arb(bottom, x->bottom, prec);
    arb_div(ball, ball, bottom, prec);
    return PBY_OK;
}

/* A top that is 0 is known to be: a sum of exponentials is 0 by its form only. */
static pby_status enclose_quotient(pby_enclosure *out, const struct quotient *x, unsigned digits,
                                   pby_error *err)
{
    PBY_ARB(ball);
    const pby_status status = pby_expsum_is_zero(x->top) ? PBY_OK
                                                         : pby_enclose(ball, quotient_ball, x, digits, err);
    if (status == PBY_OK)
        pby_enclosure_set_arb(out, ball, digits);
    return status;
}

/* x *= c */
static void scale(pby_expsum_t x, const fmpq_t c)
{
    PBY_FMPQ(zero);
    pby_expsum_mul_term(x, x, c, zero);
}

static void scale_ui(pby_expsum_t x, uint64_t c)
{
    PBY_FMPQ(factor);
    fmpz_set_ui(fmpq_numref(factor), c);
    scale(x, factor);
}

/* lo + width (seen norm - n q)/(n gap), over n gap. */
static pby_status set_value(pby_estimate *out, const pby_cell_question *cell, pby_error *err)
{
    struct quotient x;
    pby_expsum_t part;
    quotient_init(&x);
    pby_expsum_init(part);
    pby_expsum_set(x.bottom, cell->gap);
    scale_ui(x.bottom, cell->n);
    pby_expsum_set(x.top, cell->chances.norm);
    scale_ui(x.top, cell->seen);
    pby_expsum_set(part, cell->chances.q);
    scale_ui(part, cell->n);
    pby_expsum_sub(x.top, x.top, part);
    scale(x.top, cell->width);
    pby_expsum_set(part, x.bottom);
    scale(part, cell->lo);
    pby_expsum_add(x.top, x.top, part);
    const pby_status status = enclose_quotient(&out->value, &x, cell->digits, err);
    pby_expsum_clear(part);
    quotient_clear(&x);
    return status;
}

/* The variance where every report is in the cell with the chance r: width^2 r (norm - r)/(n gap^2). */
static pby_status set_variance(pby_enclosure *out, const pby_cell_question *cell, const pby_expsum_t r,
                               pby_error *err)
{
    struct quotient x;
    quotient_init(&x);
    pby_expsum_sub(x.top, cell->chances.norm, r);
    pby_expsum_mul(x.top, x.top, r);
    scale(x.top, cell->width);
    scale(x.top, cell->width);
    pby_expsum_mul(x.bottom, cell->gap, cell->gap);
    scale_ui(x.bottom, cell->n);
    const pby_status status = enclose_quotient(out, &x, cell->digits, err);
    quotient_clear(&x);
    return status;
}

/* The sign of norm - a - b: that of a (norm - a) - b (norm - b) where a > b. */
static int sign_of_rest(const pby_cell_question *cell, const pby_expsum_t a, const pby_expsum_t b)
{
    pby_expsum_t rest;
    pby_expsum_init(rest);
    pby_expsum_sub(rest, cell->chances.norm, a);
    pby_expsum_sub(rest, rest, b);
    const int sign = pby_expsum_sign(rest);
    pby_expsum_clear(rest);
    return sign;
}

/* True if r = 1/2 lies between q and p. */
static bool peaks(const pby_cell_question *cell)
{
    return sign_of_rest(cell, cell->chances.q, cell->chances.q) > 0 &&
           sign_of_rest(cell, cell->chances.p, cell->chances.p) < 0;
}

/* At the ends of what a truth can be, and the least and the greatest of all truths. In between the variance
 * of users who are or are not in the cell is between those at the ends. Of users who may be between, at a
 * given mean it is no less than that, and at most that of users who are all alike, which rises up to r = 1/2.
 */
static pby_status set_variances(pby_estimate *out, const pby_cell_question *cell, pby_error *err)
{
    const pby_chances *c = &cell->chances;
    const bool rises = sign_of_rest(cell, c->p, c->q) >= 0;
    pby_expsum_t highest;
    pby_expsum_init(highest);
    pby_expsum_set(highest, rises ? c->p : c->q);
    if (cell->between && peaks(cell)) {
        PBY_FMPQ(half);
        fmpq_set_si(half, 1, 2);
        pby_expsum_set(highest, c->norm);
        scale(highest, half);
    }
    pby_status status = set_variance(&out->none, cell, c->q, err);
    if (status == PBY_OK)
        status = set_variance(&out->all, cell, c->p, err);
    if (status == PBY_OK)
        status = set_variance(&out->least, cell, rises ? c->q : c->p, err);
    if (status == PBY_OK)
        status = set_variance(&out->most, cell, highest, err);
    pby_expsum_clear(highest);
    return status;
}

/* ---- the intervals ------------------------------------------------------------------------------ */

/* Cuts off what no truth can be; tells whether nothing is left, and then both are the truth that is nearest.
 */
static bool keep_in_unit(arb_t lo, arb_t hi)
{
    PBY_ARB(one);
    arb_one(one);
    const bool below = arb_is_negative(hi), above = arb_gt(lo, one);
    if (arb_is_negative(lo) || below)
        arb_zero(lo);
    if (arb_gt(hi, one) || above)
        arb_one(hi);
    if (below)
        arb_zero(hi);
    if (above)
        arb_one(lo);
    return below || above;
}

/* From the lower end of one ball to the upper end of another. */
static void set_span(pby_enclosure *out, const arb_t lo, const arb_t hi, unsigned digits)
{
    pby_enclosure upper;
    pby_enclosure_init(&upper);
    pby_enclosure_set_arb(out, lo, digits);
    pby_enclosure_set_arb(&upper, hi, digits);
    mpfr_swap(out->hi, upper.hi);
    pby_enclosure_clear(&upper);
}

/* v = lo + width t */
static void value_at(arb_t v, const pby_cell_question *cell, const arb_t t, slong prec)
{
    PBY_ARB(x);
    arb_set_fmpq(x, cell->width, prec);
    arb_mul(x, x, t, prec);
    arb_set_fmpq(v, cell->lo, prec);
    arb_add(v, v, x, prec);
}

static void set_ends(pby_enclosure *out, const pby_cell_question *cell, const arb_t lo, const arb_t hi,
                     slong prec)
{
    PBY_ARB(from, to);
    value_at(from, cell, lo, prec);
    value_at(to, cell, hi, prec);
    set_span(out, from, to, cell->digits);
}

/* v = r (1 - r), r = q + t (p - q), all over the norm. */
static void spread_at(arb_t v, const pby_cell_question *cell, const arb_t t, slong prec)
{
    PBY_ARB(r, x);
    pby_expsum_get_arb(r, cell->chances.q, prec);
    pby_expsum_get_arb(x, cell->gap, prec);
    arb_addmul(r, x, t, prec);
    pby_expsum_get_arb(x, cell->chances.norm, prec);
    arb_sub(x, x, r, prec);
    arb_mul(v, r, x, prec);
}

/* v = t p (1 - p) + (1 - t) q (1 - q): of users who are or are not in the cell. */
static void mixed_at(arb_t v, const pby_cell_question *cell, const arb_t t, slong prec)
{
    PBY_ARB(end, x);
    spread_at(v, cell, end, prec);
    arb_one(end);
    spread_at(x, cell, end, prec);
    arb_sub(x, x, v, prec);
    arb_addmul(v, x, t, prec);
}

/* The t at which r = 1/2, brought between lo and hi. */
static void peak_between(arb_t t, const pby_cell_question *cell, const arb_t lo, const arb_t hi, slong prec)
{
    PBY_ARB(x);
    pby_expsum_get_arb(t, cell->chances.norm, prec);
    arb_mul_2exp_si(t, t, -1);
    pby_expsum_get_arb(x, cell->chances.q, prec);
    arb_sub(t, t, x, prec);
    pby_expsum_get_arb(x, cell->gap, prec);
    arb_div(t, t, x, prec);
    arb_max(t, t, lo, prec);
    arb_min(t, t, hi, prec);
}

/* Encloses the variance for every truth from lo to hi. */
static void set_known(pby_enclosure *out, const pby_cell_question *cell, const arb_t lo, const arb_t hi,
                      slong prec)
{
    PBY_ARB(least, most, x);
    mixed_at(least, cell, lo, prec);
    mixed_at(x, cell, hi, prec);
    arb_max(most, least, x, prec);
    arb_min(least, least, x, prec);
    if (cell->between) {
        peak_between(x, cell, lo, hi, prec);
        spread_at(most, cell, x, prec);
    }
    PBY_ARB(factor);
    arb_set_fmpq(factor, cell->width, prec);
    pby_expsum_get_arb(x, cell->gap, prec);
    arb_div(factor, factor, x, prec);
    arb_sqr(factor, factor, prec);
    arb_div_ui(factor, factor, cell->n, prec);
    arb_mul(least, least, factor, prec);
    arb_mul(most, most, factor, prec);
    set_span(out, least, most, cell->digits);
}

static void set_intervals(pby_estimate *out, const pby_cell_question *cell)
{
    const slong prec = pby_precision_for_digits(cell->digits);
    PBY_ARB(lo, hi);
    pby_cell_population(lo, hi, cell, prec);
    keep_in_unit(lo, hi);
    set_ends(&out->population, cell, lo, hi, prec);
    pby_cell_users(lo, hi, cell, prec);
    out->empty = keep_in_unit(lo, hi);
    set_ends(&out->interval, cell, lo, hi, prec);
    set_known(&out->variance, cell, lo, hi, prec);
}

pby_status pby_cell_estimate(pby_estimate *out, const pby_cell_question *cell, pby_error *err)
{
    PBY_TRY(set_value(out, cell, err));
    PBY_TRY(set_variances(out, cell, err));
    set_intervals(out, cell);
    return PBY_OK;
}
