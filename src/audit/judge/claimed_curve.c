/* SPDX-License-Identifier: MIT */
#include "audit/judge/claimed_curve.h"
#include "number/number_texts.h"
#include "probity/experimental/auditing.h"
#include "probity/experimental/losses.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "audit/judge/verdict.h"
#include "number/scoped.h"
#include "probity/loss.h"
#include "probity/rational.h"

enum { ALLOWED_DIGITS = 6, CURVE_DIGITS = 12, MIDDLE = 3, RHO_MOST = 100, MU_MOST = 14 };

const char *pby_claimed_name(pby_question kind)
{
    return kind == PBY_ASK_RHO ? "rho" : "mu";
}

pby_status pby_claimed_check(const pby_divergence_claim *claimed, const char *name, pby_error *err)
{
    const bool rho = claimed->kind == PBY_ASK_RHO;
    if (mpq_sgn(claimed->value) <= 0 || mpq_cmp_ui(claimed->value, rho ? RHO_MOST : MU_MOST, 1) > 0 ||
        mpq_get_d(claimed->value) < 1e-30)
        return pby_refuse_mpq(err, name, claimed->value,
                              rho ? "a rational above 0 and at most 100"
                                  : "a rational above 0 and at most 14");
    return PBY_OK;
}

/* ---- the curve -------------------------------------------------------------------------------- */

/* delta of the promise at an epsilon. Neighbours of every relation have it. */
static pby_status enclose(pby_enclosure *delta, const pby_divergence_claim *claimed, mpq_srcptr epsilon,
                          pby_error *err)
{
    char *value = mpq_get_str(NULL, 10, claimed->value), *text = NULL;
    pby_spec *spec = NULL;
    pby_status status = PBY_OK;
    if (asprintf(&text, claimed->kind == PBY_ASK_RHO ? "zcdp:rho=%s" : "gdp:mu=%s", value) < 0) {
        text = NULL;
        status = pby_no_memory(err);
    }
    if (status == PBY_OK)
        status = pby_spec_parse(&spec, (const char *const *)&text, 1, err);
    if (status == PBY_OK)
        status = pby_loss_delta(delta, spec, PBY_ADD_REMOVE, epsilon, CURVE_DIGITS, err);
    pby_spec_free(spec);
    free(text);
    free(value);
    return status;
}

/* Square roots and products of doubles are rounded correctly, so that every machine has these epsilons. */
static pby_status epsilon_at(mpq_t epsilon, const pby_divergence_claim *claimed, size_t point, pby_error *err)
{
    static const double parts[PBY_CLAIMED_POINTS] = {0, 0.25, 0.5, 1, 1.5, 2, 3};
    char text[32];
    const double value = mpq_get_d(claimed->value),
                 m = claimed->kind == PBY_ASK_RHO ? sqrt(2 * value) : value;
    snprintf(text, sizeof text, "%.3g", parts[point] * (m + m * m / 2));
    return pby_rational_parse(epsilon, "epsilon", text, err);
}

pby_status pby_claimed_point(mpq_t epsilon, mpq_t delta, const pby_divergence_claim *claimed, size_t point,
                             pby_error *err)
{
    char text[PBY_DECIMAL_SIZE];
    pby_enclosure x;
    PBY_TRY(epsilon_at(epsilon, claimed, point, err));
    pby_enclosure_init(&x);
    pby_status status = enclose(&x, claimed, epsilon, err);
    if (status == PBY_OK) {
        pby_decimal(text, x.hi, ALLOWED_DIGITS, false);
        status = pby_rational_parse(delta, "delta", text, err);
    }
    pby_enclosure_clear(&x);
    return status;
}

pby_status pby_claimed_middle(mpq_t epsilon, mpq_t delta, const pby_divergence_claim *claimed, pby_error *err)
{
    return pby_claimed_point(epsilon, delta, claimed, MIDDLE, err);
}

bool pby_claimed_allows(const pby_divergence_claim *claimed, mpq_srcptr epsilon, mpq_srcptr delta)
{
    bool known = false;
    PBY_MPQ(at, least, most);
    for (size_t i = 0; i < PBY_CLAIMED_POINTS && !known; i++)
        known = epsilon_at(at, claimed, i, NULL) == PBY_OK && mpq_equal(at, epsilon);
    pby_enclosure x;
    pby_enclosure_init(&x);
    if (known && enclose(&x, claimed, epsilon, NULL) == PBY_OK && mpfr_number_p(x.hi)) {
        mpfr_get_q(least, x.hi);
        mpq_set_str(most, "100002/100000", 10);
        mpq_canonicalize(most);
        mpq_mul(most, most, least);
        known = mpq_cmp(delta, least) >= 0 && mpq_cmp(delta, most) <= 0;
    } else {
        known = false;
    }
    pby_enclosure_clear(&x);
    return known;
}

/* ---- the point -------------------------------------------------------------------------------- */

/* By how many standard errors the frequencies of the choosing part exceed what the point allows. */
static double strength(const pby_evidence *e, double factor, double delta)
{
    if (e->n == 0 || e->m == 0)
        return -INFINITY;
    const double n = (double)e->n, m = (double)e->m, p = (double)e->x / n, q = (double)e->y / m;
    const double a = ((double)e->x + 1) / (n + 2), b = ((double)e->y + 1) / (m + 2);
    return (p - factor * q - delta) / sqrt(a * (1 - a) / n + factor * factor * b * (1 - b) / m);
}

static pby_status strongest(double *most, const pby_audit *audit, mpq_srcptr epsilon, mpq_srcptr delta,
                            mpq_srcptr error, pby_error *err)
{
    pby_event event[PBY_EVENTS];
    size_t events = 0;
    PBY_FMPQ(e, d, a);
    fmpq_set_mpq(e, epsilon);
    fmpq_set_mpq(d, delta);
    fmpq_set_mpq(a, error);
    for (size_t i = 0; i < PBY_EVENTS; i++)
        pby_event_init(&event[i]);
    const pby_status status = pby_events_choose(event, &events, audit, e, d, a, err);
    *most = -INFINITY;
    for (size_t i = 0; i < PBY_EVENTS; i++) {
        if (status == PBY_OK && i < events) {
            const pby_evidence chosen =
                pby_event_count(&event[i], audit, 1u << PBY_ORDERING | 1u << PBY_SELECTING);
            *most = fmax(*most, strength(&chosen, exp(mpq_get_d(epsilon)), mpq_get_d(delta)));
        }
        pby_event_clear(&event[i]);
    }
    return status;
}

static pby_status choose_point(mpq_t epsilon, mpq_t delta, const pby_audit *audit,
                               const pby_divergence_claim *claimed, mpq_srcptr error, pby_error *err)
{
    double best = -INFINITY;
    PBY_MPQ(e, d);
    PBY_TRY(pby_claimed_middle(epsilon, delta, claimed, err));
    if (audit->outputs[0] == 0 || audit->outputs[1] == 0)
        return PBY_OK;
    for (size_t i = 0; i < PBY_CLAIMED_POINTS; i++) {
        double here;
        PBY_TRY(pby_claimed_point(e, d, claimed, i, err));
        if (mpq_cmp_ui(d, 1, 1) >= 0)
            continue;
        PBY_TRY(strongest(&here, audit, e, d, error, err));
        if (here > best) {
            best = here;
            mpq_set(epsilon, e);
            mpq_set(delta, d);
        }
    }
    return PBY_OK;
}

pby_status pby_audit_judge_claimed(pby_verdict **out, const pby_audit *audit,
                                   const pby_divergence_claim *claimed, mpq_srcptr error, pby_error *err)
{
    PBY_MPQ(epsilon, delta);
    *out = NULL;
    PBY_TRY(pby_claimed_check(claimed, pby_claimed_name(claimed->kind), err));
    if (mpq_sgn(error) <= 0 || mpq_cmp_ui(error, 1, 2) >= 0)
        return pby_fail(err, PBY_BAD, "error: expected a rational above 0 and below 1/2, such as 1e-6");
    PBY_TRY(choose_point(epsilon, delta, audit, claimed, error, err));
    PBY_TRY(pby_audit_judge_point(out, audit, epsilon, delta, error, err));
    (*out)->claimed = claimed->kind;
    fmpq_set_mpq(&(*out)->value, claimed->value);
    return PBY_OK;
}

pby_status pby_audit_judge_divergence(pby_verdict **out, const pby_audit *audit, pby_question question,
                                      pby_value value, pby_value error, pby_error *err)
{
    PBY_MPQ(claimed, allowed);
    *out = NULL;
    if (question != PBY_ASK_RHO && question != PBY_ASK_MU)
        return pby_fail(err, PBY_BAD, "question: expected PBY_ASK_RHO or PBY_ASK_MU");
    PBY_TRY(pby_value_need(claimed, pby_claimed_name(question), value, err));
    PBY_TRY(pby_value_need(allowed, "error", error, err));
    return pby_audit_judge_claimed(out, audit, &(pby_divergence_claim){question, claimed}, allowed, err);
}
