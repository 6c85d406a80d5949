/* SPDX-License-Identifier: MIT */
#include "loss/divergence/reached.h"

#include <math.h>

#include "number/ball.h"
#include "number/scoped.h"

struct query {
    const pby_spectrum *s;
    const fmpq *order;
};

static pby_status order_ball(arb_t ball, const void *what, slong prec, pby_error *err)
{
    const struct query *query = what;
    return pby_spectrum_at(ball, query->s, query->order, prec, err);
}

/* Where one side has an outcome that the other cannot give, every divergence is infinite. */
static pby_status at_order(arb_t ball, const pby_spectrum *s, const fmpq *order, unsigned digits,
                           pby_error *err)
{
    const struct query query = {s, order};
    if (s->finite)
        return pby_enclose(ball, order_ball, &query, digits, err);
    arb_pos_inf(ball);
    return PBY_OK;
}

pby_status pby_reached_renyi(arb_t ball, const pby_spec *spec, pby_neighbours relation, const fmpq *order,
                             unsigned digits, pby_error *err)
{
    pby_spectrum s;
    pby_status status = pby_spectrum_below(&s, spec, relation, order, err);
    if (status == PBY_OK)
        status = at_order(ball, &s, order, digits, err);
    pby_spectrum_clear(&s);
    return status;
}

/* ---- rho -------------------------------------------------------------------------------------- */

/* The orders tried are 1 and 1 + 2^(i/2); between them the best is come closer to. */
enum { FIRST = -6, LAST = 80, GAUSSIAN_LAST = 20, HALVINGS = 12, GUESS_BITS = 256, ORDER_BITS = 24 };

struct search {
    const pby_spectrum *s;
    const fmpq *xi;
    double best;
    fmpq_t order; /* where the best was found */
    pby_error *err;
};

/* The order 1 + 2^x, with few bits; 1 itself where x is far below 0. */
static void order_at(fmpq_t order, double x)
{
    int exponent;
    const double part = frexp(exp2(x), &exponent);
    fmpq_set_si(order, (slong)ldexp(part, ORDER_BITS), 1);
    if (exponent >= ORDER_BITS)
        fmpq_mul_2exp(order, order, (flint_bitcnt_t)(exponent - ORDER_BITS));
    else
        fmpq_div_2exp(order, order, (flint_bitcnt_t)(ORDER_BITS - exponent));
    fmpq_add_si(order, order, 1);
}

/* (D_a - xi)/a in a double, and keeps a where it is the best so far. */
static pby_status look_at(double *value, struct search *f, const fmpq_t order)
{
    PBY_ARB(ball, x);
    const pby_status status = pby_spectrum_at(ball, f->s, order, GUESS_BITS, f->err);
    arb_set_fmpq(x, f->xi, GUESS_BITS);
    arb_sub(ball, ball, x, GUESS_BITS);
    arb_set_fmpq(x, order, GUESS_BITS);
    arb_div(ball, ball, x, GUESS_BITS);
    *value = arb_is_finite(ball) ? arf_get_d(arb_midref(ball), ARF_RND_NEAR) : 0;
    if (*value > f->best) {
        f->best = *value;
        fmpq_set(f->order, order);
    }
    return status;
}

static pby_status look(double *value, struct search *f, double x)
{
    PBY_FMPQ(order);
    order_at(order, x);
    return look_at(value, f, order);
}

/* No order beyond D_inf/best is better. */
static pby_status scan(double *at, struct search *f)
{
    double value;
    PBY_ARB(most);
    PBY_FMPQ(one);
    fmpq_one(one);
    pby_status status = look_at(&value, f, one);
    if (status == PBY_OK)
        status = pby_spectrum_at(most, f->s, NULL, GUESS_BITS, f->err);
    const bool finite = arb_is_finite(most);
    const double end = finite ? arf_get_d(arb_midref(most), ARF_RND_NEAR) : INFINITY;
    *at = FIRST / 2.0 - 1;
    for (int i = FIRST; i <= (finite ? LAST : GAUSSIAN_LAST) && status == PBY_OK; i++) {
        if (finite && f->best > 0 && end / exp2(i / 2.0) < f->best)
            break;
        const double before = f->best;
        status = look(&value, f, i / 2.0);
        if (f->best > before)
            *at = i / 2.0;
    }
    return status;
}

static pby_status climb(struct search *f, double at)
{
    pby_status status = PBY_OK;
    double step = 0.25, value;
    for (int i = 0; i < HALVINGS && status == PBY_OK; i++) {
        const double before = f->best;
        double next = at;
        status = look(&value, f, at - step);
        if (f->best > before)
            next = at - step;
        const double left = f->best;
        if (status == PBY_OK)
            status = look(&value, f, at + step);
        if (f->best > left)
            next = at + step;
        at = next;
        step /= 2;
    }
    return status;
}

/* The rho that the order needs, of neighbours that are good at it. */
static pby_status rho_at(arb_t ball, const pby_spec *spec, pby_neighbours relation, const fmpq_t order,
                         const fmpq_t xi, unsigned digits, pby_error *err)
{
    const slong prec = pby_precision_for_digits(digits);
    PBY_ARB(x);
    const pby_status status = pby_reached_renyi(ball, spec, relation, order, digits, err);
    arb_set_fmpq(x, xi, prec);
    arb_sub(ball, ball, x, prec);
    arb_set_fmpq(x, order, prec);
    arb_div(ball, ball, x, prec);
    arb_zero(x);
    pby_raise_to(ball, x, prec);
    return status;
}

pby_status pby_reached_rho(arb_t ball, const pby_spec *spec, pby_neighbours relation, const fmpq_t xi,
                           unsigned digits, pby_error *err)
{
    pby_spectrum s;
    struct search f = {.s = &s, .xi = xi, .err = err};
    double at;
    fmpq_init(f.order);
    fmpq_one(f.order);
    pby_status status = pby_spectrum_below(&s, spec, relation, NULL, err);
    const bool finite = s.finite;
    if (status == PBY_OK && finite)
        status = scan(&at, &f);
    if (status == PBY_OK && finite)
        status = climb(&f, at);
    pby_spectrum_clear(&s);
    if (status == PBY_OK && finite)
        status = rho_at(ball, spec, relation, f.order, xi, digits, err);
    else
        arb_pos_inf(ball);
    fmpq_clear(f.order);
    return status;
}
