/* SPDX-License-Identifier: MIT */
#include "audit/report/verdict_answer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "audit/judge/claimed_curve.h"
#include "audit/judge/verdict.h"
#include "base/json.h"
#include "number/scoped.h"

enum { POINTS = 21 };

static json_t *json_rational(const fmpq *x)
{
    char text[PBY_DECIMAL_SIZE];
    pby_rational_text(text, x);
    return json_string(text);
}

static json_t *json_about(double x)
{
    char text[32];
    snprintf(text, sizeof text, isinf(x) ? "inf" : "%.3g", x);
    return json_string(text);
}

static json_t *json_counts(const pby_evidence *e, int accused)
{
    const json_int_t p[2] = {(json_int_t)e->x, (json_int_t)e->n}, q[2] = {(json_int_t)e->y, (json_int_t)e->m};
    const json_int_t *left = accused == PBY_LEFT ? p : q, *right = accused == PBY_LEFT ? q : p;
    return json_pack("{s:[I,I], s:[I,I]}", "left", left[0], left[1], "right", right[0], right[1]);
}

static json_t *json_event(const pby_judged *j)
{
    const bool joint = j->event.share.split == 0;
    char how[32] = "joint";
    if (!joint)
        snprintf(how, sizeof how, "split %u/%d", j->event.share.split, PBY_SPLITS);
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:s, s:o, s:o}", "text", j->text, "kind", pby_kind_name(j->kind), "ranges",
        j->ranges, "accused", j->event.accused == PBY_LEFT ? "left" : "right", "error",
        json_rational(j->event.share.error), "bound", how, "chosen",
        json_counts(&j->chosen, j->event.accused), "judged", json_counts(&j->judged, j->event.accused));
}

static json_t *json_end(const arb_t ball, bool lower)
{
    char text[PBY_DECIMAL_SIZE];
    mpfr_t lo, hi;
    mpfr_inits2(64, lo, hi, (mpfr_ptr)0);
    arb_get_interval_mpfr(lo, hi, ball);
    pby_decimal(text, lower ? lo : hi, 6, lower);
    mpfr_clears(lo, hi, (mpfr_ptr)0);
    return json_string(text);
}

/* Points from 0 to twice the claimed epsilon. */
static json_t *json_profile(const pby_verdict *v)
{
    json_t *points = json_array();
    PBY_FMPQ(error, at);
    PBY_ARB(epsilon, lower, middle, upper);
    fmpq_set_si(error, 1, PBY_BAND_PARTS);
    fmpq_mul(error, error, &v->error);
    for (slong i = 0; i < POINTS && v->profile.cells > 0; i++) {
        fmpq_set_si(at, 2 * i, POINTS - 1);
        fmpq_mul(at, at, &v->epsilon);
        arb_set_fmpq(epsilon, at, 64);
        pby_empirical_at(lower, middle, upper, &v->profile, epsilon, error);
        points = pby_json_append(points, json_pack("{s:o, s:o, s:o, s:o}", "epsilon", json_rational(at), "lo",
                                                   json_end(lower, true), "seen", json_end(middle, true),
                                                   "hi", json_end(upper, false)));
    }
    return points;
}

static const char method[] =
    "a quarter of the first 2^24 outputs of a side and a sixteenth of the others, by a keyed "
    "hash of their place, chose the events "
    "and the others judged them; certified binomial tails (Clopper-Pearson), P and "
    "Q split or jointly as chosen with the event; of the error, 1/10 is for the "
    "profile's band, and of the rest the first event has 1/2, the next 1/4, and so "
    "on";

static json_t *json_kinds(unsigned kinds)
{
    json_t *list = json_array();
    for (int kind = 0; kind < PBY_EVENT_KINDS; kind++)
        if (kinds >> kind & 1)
            list = pby_json_append(list, json_string(pby_kind_name((pby_event_kind)kind)));
    return list;
}

static json_t *json_always(const pby_verdict *v)
{
    json_t *events = json_array();
    for (size_t i = 0; i < v->events; i++)
        events = pby_json_append(events, json_event(&v->event[i]));
    return json_pack("{s:s, s:s, s:s, s:o, s:{s:o, s:o}, s:I, s:{s:I, s:I}, s:{s:I, s:I}, s:o, s:s, s:o, "
                     "s:o, s:o, s:o}",
                     "verdict", pby_verdict_word(v), "epsilon_lower", v->lower_text[PBY_REFUTE_EPSILON],
                     "delta_lower", v->lower_text[PBY_REFUTE_DELTA], "event",
                     v->events == 0 ? json_null() : json_event(pby_verdict_witness(v)), "claim", "epsilon",
                     json_rational(&v->epsilon), "delta", json_rational(&v->delta), "samples",
                     (json_int_t)v->outputs[0] + (json_int_t)v->outputs[1], "outputs", "left",
                     (json_int_t)v->outputs[0], "right", (json_int_t)v->outputs[1], "judges", "left",
                     (json_int_t)v->judges[0], "right", (json_int_t)v->judges[1], "error",
                     json_rational(&v->error), "method", method, "smallest_visible",
                     json_about(v->least_visible), "largest_visible", json_about(v->most_visible), "events",
                     events, "profile", json_profile(v));
}

/* Adds the members that only some verdicts have: the rho or mu that is claimed, the kinds of event unless all
 * were judged, the reason why it is inconclusive, and the number of outputs that would be enough. */
static pby_status add_some(json_t *object, const pby_verdict *v)
{
    if (object == NULL)
        return PBY_FAILED;
    if (!fmpq_is_zero(&v->value))
        PBY_TRY(pby_json_set(json_object_get(object, "claim"), pby_claimed_name(v->claimed),
                             json_rational(&v->value), NULL));
    if (v->kinds != PBY_EVENT_KINDS_ALL)
        PBY_TRY(pby_json_set(object, "features", json_kinds(v->kinds), NULL));
    if (pby_verdict_inconclusive(v))
        PBY_TRY(pby_json_set(object, "reason", json_string(v->reason), NULL));
    if (v->enough > 0)
        return pby_json_set(object, "enough", json_integer((json_int_t)v->enough), NULL);
    return PBY_OK;
}

json_t *pby_verdict_object(const pby_verdict *v)
{
    json_t *object = json_always(v);
    if (add_some(object, v) == PBY_OK)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *json_within(const pby_empirical *profile, int side)
{
    json_t *list = json_array();
    for (size_t i = 0; i < profile->cells; i++)
        list = pby_json_append(list, json_integer((json_int_t)profile->within[side][i]));
    return list;
}

pby_status pby_verdict_add_counts(json_t *object, const pby_verdict *v, pby_error *err)
{
    const pby_empirical *p = &v->profile;
    const pby_status status = pby_json_set(
        object, "missing",
        json_pack("{s:I, s:I}", "left", (json_int_t)v->missing[0], "right", (json_int_t)v->missing[1]), err);
    return status != PBY_OK
               ? status
               : pby_json_set(object, "profile_counts",
                              json_pack("{s:{s:I, s:I}, s:o, s:o}", "judges", "left", (json_int_t)p->total[0],
                                        "right", (json_int_t)p->total[1], "left", json_within(p, 0), "right",
                                        json_within(p, 1)),
                              err);
}

pby_status pby_verdict_json(char **text, const pby_verdict *verdict, pby_error *err)
{
    *text = pby_json_text(pby_verdict_object(verdict), JSON_COMPACT | JSON_PRESERVE_ORDER);
    return *text == NULL ? pby_no_memory(err) : PBY_OK;
}
