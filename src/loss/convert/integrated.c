/* SPDX-License-Identifier: MIT */
#include "loss/convert/integrated.h"

#include "number/ball.h"
#include "number/scoped.h"

/* A question at a rational: epsilon less xi + rho, or delta. */
struct at {
    const fmpq *rho, *start, *value;
};

/* sqrt(pi rho) */
static void set_front(arb_t front, const struct at *at, slong prec)
{
    PBY_ARB(rho);
    arb_set_fmpq(rho, at->rho, prec);
    arb_const_pi(front, prec);
    arb_mul(front, front, rho, prec);
    arb_sqrt(front, front, prec);
}

static pby_status delta_ball(arb_t ball, const void *what, slong prec, pby_error *err)
{
    const struct at *at = what;
    PBY_FMPQ(beyond, four);
    PBY_ARB(exponent);
    (void)err;
    fmpq_sub(beyond, at->value, at->start);
    fmpq_mul(beyond, beyond, beyond);
    fmpq_mul_si(four, at->rho, -4);
    fmpq_div(beyond, beyond, four);
    arb_set_fmpq(exponent, beyond, prec);
    arb_exp(exponent, exponent, prec);
    set_front(ball, at, prec);
    arb_mul(ball, ball, exponent, prec);
    return PBY_OK;
}

static pby_status epsilon_ball(arb_t ball, const void *what, slong prec, pby_error *err)
{
    const struct at *at = what;
    PBY_ARB(x, y);
    (void)err;
    arb_set_fmpq(ball, at->start, prec);
    if (fmpq_is_zero(at->rho))
        return PBY_OK;
    set_front(x, at, prec);
    arb_set_fmpq(y, at->value, prec);
    arb_div(x, x, y, prec);
    arb_log(x, x, prec);
    arb_nonnegative_part(x, x); /* from xi + rho on */
    arb_set_fmpq(y, at->rho, prec);
    arb_mul(x, x, y, prec);
    arb_sqrt(x, x, prec);
    arb_mul_2exp_si(x, x, 1);
    arb_add(ball, ball, x, prec);
    return PBY_OK;
}

pby_status pby_integrated_delta(arb_t ball, const pby_promise *line, const fmpq_t epsilon, unsigned digits,
                                pby_error *err)
{
    PBY_FMPQ(start);
    const struct at at = {line->rho, start, epsilon};
    fmpq_add(start, line->xi, line->rho);
    if (fmpq_cmp(epsilon, start) < 0)
        arb_one(ball);
    else if (fmpq_is_zero(line->rho))
        arb_zero(ball);
    else
        return pby_enclose(ball, delta_ball, &at, digits, err);
    return PBY_OK;
}

pby_status pby_integrated_epsilon(arb_t ball, const pby_promise *line, const fmpq_t delta, unsigned digits,
                                  pby_error *err)
{
    PBY_FMPQ(start);
    const struct at at = {line->rho, start, delta};
    fmpq_add(start, line->xi, line->rho);
    if (fmpq_cmp_si(delta, 1) >= 0)
        arb_neg_inf(ball);
    else if (fmpq_is_zero(delta) && !fmpq_is_zero(line->rho))
        arb_pos_inf(ball);
    else
        return pby_enclose(ball, epsilon_ball, &at, digits, err);
    return PBY_OK;
}
