/* SPDX-License-Identifier: MIT */
/* The judging part: events that the choosing part chose, and the verdict on them. */
#include "audit/judge/verdict.h"
#include "number/integer.h"
#include "number/number_texts.h"
#include "number/scoped.h"
#include "probity/experimental/auditing.h"

/* ---- the claim -------------------------------------------------------------------------------- */

static pby_status check_claim(mpq_srcptr epsilon, mpq_srcptr delta, mpq_srcptr error, pby_error *err)
{
    if (mpq_sgn(epsilon) < 0)
        return pby_fail(err, PBY_BAD, "epsilon: expected a rational from 0 on");
    if (mpq_sgn(delta) < 0 || mpq_cmp_ui(delta, 1, 1) >= 0)
        return pby_fail(err, PBY_BAD, "delta: expected a rational from 0 to below 1");
    if (mpq_sgn(error) <= 0 || mpq_cmp_ui(error, 1, 2) >= 0 || mpz_sizeinbase(mpq_denref(error), 2) > 1000)
        return pby_fail(err, PBY_BAD, "error: expected a rational above 0 and below 1/2, such as 1e-6");
    return PBY_OK;
}

/* ---- the whole -------------------------------------------------------------------------------- */

static pby_status judge_events(pby_verdict *v, const pby_audit *audit, pby_error *err)
{
    pby_event chosen[PBY_EVENTS];
    PBY_FMPQ(error);
    fmpq_set_si(error, PBY_BAND_PARTS - 1, PBY_BAND_PARTS);
    fmpq_mul(error, error, &v->error);
    for (size_t i = 0; i < PBY_EVENTS; i++)
        pby_event_init(&chosen[i]);
    pby_status status = pby_events_choose(chosen, &v->events, audit, &v->epsilon, &v->delta, error, err);
    for (size_t i = 0; i < PBY_EVENTS; i++) {
        pby_judged *j = &v->event[i];
        pby_event_clear(&j->event);
        j->event = chosen[i];
        if (status != PBY_OK || i >= v->events)
            continue;
        j->chosen = pby_event_count(&j->event, audit, 1u << PBY_ORDERING | 1u << PBY_SELECTING);
        j->judged = pby_event_count(&j->event, audit, 1u << PBY_JUDGING);
        if (audit->table[j->event.feature].blind)
            j->judged = (pby_evidence){0, 0, 0, 0};
        j->text = pby_event_text(&j->event, audit);
        j->ranges = pby_event_ranges(&j->event, audit);
        j->kind = pby_event_kind_of(&j->event);
        if (j->text == NULL || j->ranges == NULL)
            status = pby_no_memory(err);
    }
    return status;
}

static pby_status fill_verdict(pby_verdict *v, const pby_audit *audit, pby_error *err)
{
    pby_status status = judge_events(v, audit, err);
    if (status != PBY_OK)
        return status;
    v->kinds = audit->kinds;
    for (int side = 0; side < PBY_SIDES; side++) {
        v->outputs[side] = audit->outputs[side];
        v->judges[side] = audit->seen[side][PBY_JUDGING];
        v->missing[side] = audit->missing[side];
    }
    pby_verdict_conclude(v);
    if (v->events == 0)
        return PBY_OK;
    status = pby_empirical_count(&v->profile, audit, pby_verdict_witness(v)->event.feature, err);
    return status == PBY_OK ? pby_verdict_bars(v, audit, err) : status;
}

pby_status pby_audit_judge_point(pby_verdict **out, const pby_audit *audit, mpq_srcptr epsilon,
                                 mpq_srcptr delta, mpq_srcptr error, pby_error *err)
{
    static const char *const names[PBY_SIDES] = {"LEFT", "RIGHT"};
    *out = NULL;
    pby_status status = check_claim(epsilon, delta, error, err);
    for (int side = 0; side < PBY_SIDES && status == PBY_OK; side++)
        if (audit->outputs[side] == 0)
            status = pby_fail(err, PBY_BAD, "%s: expected some outputs", names[side]);
    if (status != PBY_OK)
        return status;
    pby_verdict *v = pby_verdict_new(epsilon, delta, error);
    status = v == NULL ? pby_no_memory(err) : fill_verdict(v, audit, err);
    if (status != PBY_OK) {
        pby_verdict_free(v);
        return status;
    }
    *out = v;
    return PBY_OK;
}

pby_status pby_audit_judge(pby_verdict **out, const pby_audit *audit, pby_value epsilon, pby_value delta,
                           pby_value error, pby_error *err)
{
    PBY_MPQ(e, d, a);
    *out = NULL;
    PBY_TRY(pby_value_need(e, "epsilon", epsilon, err));
    PBY_TRY(pby_value_need(d, "delta", delta, err));
    PBY_TRY(pby_value_need(a, "error", error, err));
    return pby_audit_judge_point(out, audit, e, d, a, err);
}

void pby_audit_look_error(mpq_ptr out, mpq_srcptr error, uint64_t look)
{
    PBY_MPQ(share);
    PBY_MPZ(next);
    pby_integer_set(next, look + 1);
    pby_integer_set(mpq_denref(share), look);
    mpz_mul(mpq_denref(share), mpq_denref(share), next);
    mpz_set_ui(mpq_numref(share), 1);
    mpq_mul(out, error, share);
}

pby_status pby_audit_look_error_text(char **out, const char *error, uint64_t look, pby_error *err)
{
    PBY_MPQ(x);
    *out = NULL;
    PBY_TRY(pby_rational_parse(x, "error", error, err));
    pby_audit_look_error(x, x, look);
    return pby_rational_print(out, x, err);
}
