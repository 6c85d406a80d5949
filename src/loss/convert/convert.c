/* SPDX-License-Identifier: MIT */
#include "loss/convert/convert.h"

#include <stdlib.h>

#include "number/ball.h"
#include "number/minimise.h"
#include "number/scoped.h"

struct conversion {
    const pby_spectrum *s;
    pby_sharpness sharpness;
    const fmpq *level; /* the epsilon or the delta given */
    fmpq_t first;      /* the least 1/(a-1) when an epsilon is asked for */
};

/* D_a with a = 1 + x */
static pby_status divergence_past_one(arb_t ball, const pby_spectrum *s, const fmpq_t x, slong prec,
                                      pby_error *err)
{
    PBY_FMPQ(order);
    fmpq_add_si(order, x, 1);
    return pby_spectrum_at(ball, s, order, prec, err);
}

/* sum -= x log(1 + 1/x) + log(1 + x). This is h(1 + x), and with x = t it is t h(1 + 1/t) too. */
static void add_sharpening(arb_t sum, const arb_t x, slong prec)
{
    PBY_ARB(part);
    arb_inv(part, x, prec);
    arb_log1p(part, part, prec);
    arb_submul(sum, x, part, prec);
    arb_log1p(part, x, prec);
    arb_sub(sum, sum, part, prec);
}

/* ---- delta ------------------------------------------------------------------------------------ */

/* log delta at order 1 + x: x (D - epsilon) + h(1 + x), which tends to 0 with x. */
static pby_status log_delta(arb_t value, const void *what, const fmpq_t x, slong prec, pby_error *err)
{
    const struct conversion *c = what;
    arb_zero(value);
    if (fmpq_is_zero(x))
        return PBY_OK;
    PBY_ARB(at);
    const pby_status status = divergence_past_one(value, c->s, x, prec, err);
    arb_set_fmpq(at, c->level, prec);
    arb_sub(value, value, at, prec);
    arb_set_fmpq(at, x, prec);
    arb_mul(value, value, at, prec);
    if (c->sharpness == PBY_SHARP)
        add_sharpening(value, at, prec);
    return status;
}

static pby_status largest(arb_t ball, const pby_spectrum *s, slong prec, pby_error *err)
{
    return pby_spectrum_at(ball, s, NULL, prec, err);
}

/* Sets *beyond if epsilon is at least the largest loss. */
static pby_status beyond_all(bool *beyond, const pby_spectrum *s, const fmpq_t epsilon, slong prec,
                             pby_error *err)
{
    PBY_ARB(limit, at);
    const pby_status status = largest(limit, s, prec, err);
    arb_set_fmpq(at, epsilon, prec);
    *beyond = arb_le(limit, at);
    return status;
}

pby_status pby_convert_delta(arb_t ball, const pby_spectrum *s, pby_sharpness sharpness, const fmpq_t epsilon,
                             unsigned digits, pby_error *err)
{
    bool beyond;
    const slong prec = pby_precision_for_digits(digits);
    pby_status status = beyond_all(&beyond, s, epsilon, prec, err);
    if (status != PBY_OK)
        return status;
    if (beyond) {
        arb_zero(ball);
        return PBY_OK;
    }
    struct conversion c = {.s = s, .sharpness = sharpness, .level = epsilon};
    PBY_FMPQ(most);
    fmpq_sub_si(most, s->line.most, 1);
    const pby_convex f = {log_delta, &c, s->line.bounded ? most : NULL, true};
    status = pby_minimise(ball, &f, digits, err);
    arb_exp(ball, ball, prec);
    return status;
}

/* ---- epsilon ---------------------------------------------------------------------------------- */

/* epsilon at order 1 + 1/t, t = first + x: D + t log(1/delta) + t h(1 + 1/t). As the perspective of a
 * convex function this is convex in t; at t = 0 it is D_inf. */
static pby_status epsilon_at(arb_t value, const void *what, const fmpq_t x, slong prec, pby_error *err)
{
    const struct conversion *c = what;
    PBY_FMPQ(t, past);
    fmpq_add(t, x, c->first);
    pby_status status;
    if (fmpq_is_zero(t)) {
        status = largest(value, c->s, prec, err);
    } else {
        PBY_ARB(at, log);
        fmpq_inv(past, t);
        status = divergence_past_one(value, c->s, past, prec, err);
        arb_set_fmpq(at, t, prec);
        arb_set_fmpq(log, c->level, prec);
        arb_log(log, log, prec);
        arb_submul(value, at, log, prec);
        if (c->sharpness == PBY_SHARP)
            add_sharpening(value, at, prec);
    }
    return status;
}

pby_status pby_convert_epsilon(arb_t ball, const pby_spectrum *s, pby_sharpness sharpness, const fmpq_t delta,
                               unsigned digits, pby_error *err)
{
    const slong prec = pby_precision_for_digits(digits);
    if (fmpq_cmp_si(delta, 1) >= 0) {
        arb_neg_inf(ball);
        return PBY_OK;
    }
    if (fmpq_is_zero(delta))
        return largest(ball, s, prec, err);
    struct conversion c = {.s = s, .sharpness = sharpness, .level = delta};
    fmpq_init(c.first);
    if (s->line.bounded) {
        fmpq_sub_si(c.first, s->line.most, 1);
        fmpq_inv(c.first, c.first);
    }
    const pby_convex f = {epsilon_at, &c, NULL, false};
    const pby_status status = pby_minimise(ball, &f, digits, err);
    fmpq_clear(c.first);
    return status;
}

/* ---- the profile ------------------------------------------------------------------------------ */

struct spectrum_profile {
    pby_profile base;
    pby_spectrum s;
};

static const pby_spectrum *spectrum_of(const pby_profile *p)
{
    return &((const struct spectrum_profile *)p)->s;
}

static pby_status profile_delta_to(arb_t ball, const pby_profile *p, const fmpq_t epsilon, unsigned digits,
                                   pby_error *err)
{
    return pby_convert_delta(ball, spectrum_of(p), PBY_SHARP, epsilon, digits, err);
}

static pby_status profile_epsilon_to(arb_t ball, const pby_profile *p, const fmpq_t level, unsigned digits,
                                     pby_error *err)
{
    return pby_convert_epsilon(ball, spectrum_of(p), PBY_SHARP, level, digits, err);
}

static pby_status profile_delta(arb_t ball, const pby_profile *p, const fmpq_t epsilon, slong prec,
                                pby_error *err)
{
    return profile_delta_to(ball, p, epsilon, (unsigned)(prec * 3 / 20), err);
}

static pby_status profile_limit(arb_t ball, const pby_profile *p, slong prec, pby_error *err)
{
    (void)p;
    (void)prec;
    (void)err;
    arb_zero(ball);
    return PBY_OK;
}

static pby_status profile_largest(arb_t ball, const pby_profile *p, slong prec, pby_error *err)
{
    return largest(ball, spectrum_of(p), prec, err);
}

static void profile_free(pby_profile *p)
{
    pby_spectrum_clear(&((struct spectrum_profile *)p)->s);
    free(p);
}

static const pby_profile_class spectrum_profile = {
    .delta = profile_delta,
    .limit = profile_limit,
    .largest = profile_largest,
    .delta_to = profile_delta_to,
    .epsilon_to = profile_epsilon_to,
    .free = profile_free,
};

pby_status pby_profile_of_spectrum(pby_profile **out, pby_spectrum *s, pby_error *err)
{
    struct spectrum_profile *p = s->finite ? calloc(1, sizeof *p) : NULL;
    *out = NULL;
    if (p == NULL) {
        const pby_status status =
            s->finite ? pby_no_memory(err)
                      : pby_fail(err, PBY_BAD,
                                 "SPEC: expected, beside rdp or zcdp, mechanisms whose outputs are "
                                 "possible on all inputs");
        pby_spectrum_clear(s);
        return status;
    }
    p->base.class = &spectrum_profile;
    p->s = *s;
    *out = &p->base;
    return PBY_OK;
}

/* ---- from pure privacy ------------------------------------------------------------------------ */

/* log(cosh(x)) for x >= 0, without cancellation or overflow: x + log((1 + exp(-2x)) / 2) */
static void log_cosh(arb_t y, const arb_t x, slong prec)
{
    PBY_ARB(e);
    arb_mul_si(e, x, -2, prec);
    arb_exp(e, e, prec);
    arb_add_ui(e, e, 1, prec);
    arb_mul_2exp_si(e, e, -1);
    arb_log(e, e, prec);
    arb_add(y, x, e, prec);
}

void pby_convert_pure_rho(arb_t ball, const arb_t epsilon, pby_sharpness sharpness, slong prec)
{
    PBY_ARB(half);
    arb_mul_2exp_si(half, epsilon, -1);
    if (sharpness == PBY_SHARP)
        arb_tanh(half, half, prec);
    arb_mul(ball, epsilon, half, prec);
}

void pby_convert_pure_renyi(arb_t ball, const arb_t epsilon, const fmpq *order, pby_sharpness sharpness,
                            slong prec)
{
    if (order == NULL) {
        arb_set(ball, epsilon);
        return;
    }
    PBY_ARB(a, x, y);
    arb_set_fmpq(a, order, prec);
    pby_convert_pure_rho(ball, epsilon, sharpness, prec);
    if (sharpness == PBY_CLASSICAL) {
        arb_mul(ball, ball, a, prec);
    } else if (!fmpq_is_one(order)) {
        arb_mul_2exp_si(y, epsilon, -1);
        arb_mul(x, a, epsilon, prec);
        arb_sub(x, x, y, prec);
        log_cosh(x, x, prec);
        log_cosh(y, y, prec);
        arb_sub(x, x, y, prec);
        arb_sub_ui(a, a, 1, prec);
        arb_div(ball, x, a, prec);
    }
}
