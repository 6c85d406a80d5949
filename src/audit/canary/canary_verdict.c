/* SPDX-License-Identifier: MIT */
#include "audit/canary/canary_verdict.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/status.h"
#include "number/number_texts.h"
#include "number/scoped.h"
#include "number/text.h"

enum { WORK = 96 };

static pby_status check(mpq_srcptr epsilon, mpq_srcptr delta, mpq_srcptr error, pby_error *err)
{
    if (epsilon != NULL && mpq_sgn(epsilon) < 0)
        return pby_refuse_mpq(err, "epsilon", epsilon, "a rational from 0 on");
    if (mpq_sgn(delta) < 0 || mpq_cmp_ui(delta, 1, 1) >= 0)
        return pby_refuse_mpq(err, "delta", delta, "a rational from 0 to below 1");
    if (mpq_sgn(error) <= 0 || mpq_cmp_ui(error, 1, 2) >= 0)
        return pby_refuse_mpq(err, "error", error, "a rational above 0 and below 1/2, such as 0.05");
    return PBY_OK;
}

pby_status pby_canary_verdict_new(pby_canary_verdict **out, pby_value epsilon, pby_value delta,
                                  pby_value error, pby_error *err)
{
    const bool claimed = !pby_value_none(&epsilon);
    PBY_MPQ(e, d, a);
    *out = NULL;
    if (claimed)
        PBY_TRY(pby_value_need(e, "epsilon", epsilon, err));
    PBY_TRY(pby_value_need(d, "delta", delta, err));
    PBY_TRY(pby_value_need(a, "error", error, err));
    PBY_TRY(check(claimed ? e : NULL, d, a, err));
    pby_canary_verdict *v = calloc(1, sizeof *v);
    if (v == NULL)
        return pby_no_memory(err);
    v->claimed = claimed;
    fmpq_init(&v->epsilon);
    fmpq_init(&v->delta);
    fmpq_init(&v->error);
    fmpq_set_mpq(&v->epsilon, e);
    fmpq_set_mpq(&v->delta, d);
    fmpq_set_mpq(&v->error, a);
    arb_init(v->lower);
    arb_neg_inf(v->lower);
    *out = v;
    return PBY_OK;
}

void pby_canary_verdict_free(pby_canary_verdict *v)
{
    if (v == NULL)
        return;
    json_decref(v->evidence);
    arb_clear(v->lower);
    fmpq_clear(&v->error);
    fmpq_clear(&v->delta);
    fmpq_clear(&v->epsilon);
    free(v);
}

pby_status pby_canary_verdict_end(pby_canary_verdict **out, pby_canary_verdict *v, pby_status status)
{
    if (status != PBY_OK) {
        pby_canary_verdict_free(v);
        v = NULL;
    }
    *out = v;
    return status;
}

void pby_canary_decimal(char text[PBY_DECIMAL_SIZE], const arb_t lower)
{
    PBY_MPFR(WORK, x);
    if (arf_sgn(arb_midref(lower)) > 0)
        arf_get_mpfr(x, arb_midref(lower), MPFR_RNDD);
    else
        mpfr_set_zero(x, 1);
    pby_decimal(text, x, PBY_CANARY_DIGITS, true);
}

void pby_canary_verdict_settle(pby_canary_verdict *v, const arb_t lower)
{
    PBY_ARB(claimed);
    arb_set(v->lower, lower);
    pby_canary_decimal(v->lower_text, lower);
    arb_set_fmpq(claimed, &v->epsilon, WORK);
    v->violation = v->claimed && arb_is_finite(lower) && arb_ge(lower, claimed);
}

bool pby_canary_verdict_violation(const pby_canary_verdict *v)
{
    return v->violation;
}

const char *pby_canary_verdict_reason(const pby_canary_verdict *v)
{
    return v->reason;
}

const char *pby_canary_verdict_warning(const pby_canary_verdict *v)
{
    return v->warning;
}

const char *pby_canary_verdict_epsilon_lower(const pby_canary_verdict *v)
{
    return v->lower_text;
}

/* ---- as JSON ----------------------------------------------------------------------------------- */

static json_t *rational(const fmpq *x)
{
    char text[PBY_DECIMAL_SIZE];
    pby_rational_text(text, x);
    return json_string(text);
}

const char *pby_canary_verdict_word(const pby_canary_verdict *v)
{
    return v->violation ? "violation" : v->reason[0] != '\0' ? "inconclusive" : "consistent";
}

/* The verdict on a claim, where there is one. */
static pby_status add_claim(json_t *object, const pby_canary_verdict *v)
{
    if (!v->claimed)
        return PBY_OK;
    pby_status status = pby_json_set(object, "verdict", json_string(pby_canary_verdict_word(v)), NULL);
    if (status == PBY_OK && v->reason[0] != '\0')
        status = pby_json_set(object, "reason", json_string(v->reason), NULL);
    if (status == PBY_OK)
        status = pby_json_set(
            object, "claim",
            json_pack("{s:o, s:o}", "epsilon", rational(&v->epsilon), "delta", rational(&v->delta)), NULL);
    return status;
}

json_t *pby_canary_verdict_object(const pby_canary_verdict *v)
{
    json_t *object = json_object();
    pby_status status = object == NULL ? PBY_FAILED : add_claim(object, v);
    if (status == PBY_OK)
        status = pby_json_set(object, "epsilon_lower", json_string(v->lower_text), NULL);
    if (status == PBY_OK)
        status = pby_json_set(object, "delta", rational(&v->delta), NULL);
    if (status == PBY_OK)
        status = pby_json_set(object, "error", rational(&v->error), NULL);
    if (status == PBY_OK && json_object_update(object, v->evidence) != 0)
        status = PBY_FAILED;
    if (status == PBY_OK && v->warning[0] != '\0')
        status = pby_json_set(object, "warning", json_string(v->warning), NULL);
    if (status == PBY_OK)
        status = pby_json_set(object, "method", json_string(v->method), NULL);
    if (status == PBY_OK)
        return object;
    json_decref(object);
    return NULL;
}

pby_status pby_canary_verdict_json(char **text, const pby_canary_verdict *verdict, pby_error *err)
{
    *text = pby_json_text(pby_canary_verdict_object(verdict), JSON_COMPACT | JSON_PRESERVE_ORDER);
    return *text == NULL ? pby_no_memory(err) : PBY_OK;
}
