#include "audit/dossier/recount.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/bound/bound.h"
#include "audit/choose/event.h"
#include "base/json.h"
#include "probity/rational.h"

static pby_status deny(pby_error *err, const char *why)
{
    return pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE, "verdict: %s", why);
}

/* A member that is a rational from 0 on. */
static bool read_number(fmpq_t out, const json_t *object, const char *name)
{
    mpq_t x;
    mpq_init(x);
    const bool read = pby_rational_parse(x, name, pby_json_string(object, name), NULL) == PBY_OK &&
                      mpq_sgn(x) >= 0;
    if (read)
        fmpq_set_mpq(out, x);
    mpq_clear(x);
    return read;
}

/* [x, n], with 0 <= x <= n and n at least 1. */
static bool read_pair(uint64_t *x, uint64_t *n, const json_t *counts, const char *side)
{
    const json_t *pair = json_object_get(counts, side);
    const json_int_t in = json_integer_value(json_array_get(pair, 0)),
                     all = json_integer_value(json_array_get(pair, 1));
    *x = (uint64_t)in;
    *n = (uint64_t)all;
    return json_array_size(pair) == 2 && in >= 0 && in <= all && all >= 1 &&
           all <= (json_int_t)PBY_AUDIT_OUTPUTS_MAX;
}

/* One event: its counts in the judging part, and how its error is used. */
static bool read_event(pby_evidence *e, pby_share *share, const json_t *event)
{
    const json_t *judged = json_object_get(event, "judged");
    const bool left = strcmp(pby_json_string(event, "accused"), "left") == 0;
    const char *bound = pby_json_string(event, "bound"), *accused = left ? "left" : "right",
               *other = left ? "right" : "left";
    if (!left && strcmp(pby_json_string(event, "accused"), "right") != 0)
        return false;
    char end = '\0';
    share->split = 0;
    const bool joint = strcmp(bound, "joint") == 0;
    if (!joint && (sscanf(bound, "split %u/64%c", &share->split, &end) != 1 || share->split < 1 ||
                   share->split >= PBY_SPLITS))
        return false;
    return read_number(share->error, event, "error") && fmpq_sgn(share->error) > 0 &&
           read_pair(&e->x, &e->n, judged, accused) && read_pair(&e->y, &e->m, judged, other);
}

/* Whether an exact dyadic number is at least a rational. */
static bool reaches(const arb_t x, const fmpq_t level)
{
    if (!arb_is_finite(x))
        return false;
    fmpq_t exact;
    fmpq_init(exact);
    arf_get_fmpq(exact, arb_midref(x));
    const bool yes = fmpq_cmp(exact, level) >= 0;
    fmpq_clear(exact);
    return yes;
}

struct stated {
    fmpq_t claim[PBY_REFUTABLE]; /* epsilon, delta */
    fmpq_t lower[PBY_REFUTABLE]; /* what is said to be refuted; 0: nothing */
    bool shown[PBY_REFUTABLE];   /* whether the counts refute it */
    fmpq_t error, spent;
};

static pby_status recount_event(struct stated *s, const json_t *event, pby_error *err)
{
    pby_evidence e;
    pby_share share;
    arb_t lower;
    fmpq_init(share.error);
    arb_init(lower);
    const bool read = read_event(&e, &share, event);
    if (read) {
        fmpq_add(s->spent, s->spent, share.error);
        if (!s->shown[PBY_REFUTE_EPSILON]) {
            pby_refuted_epsilon(lower, &e, s->claim[PBY_REFUTE_DELTA], &share);
            s->shown[PBY_REFUTE_EPSILON] = reaches(lower, s->lower[PBY_REFUTE_EPSILON]);
        }
        if (!s->shown[PBY_REFUTE_DELTA]) {
            pby_refuted_delta(lower, &e, s->claim[PBY_REFUTE_EPSILON], &share);
            s->shown[PBY_REFUTE_DELTA] = reaches(lower, s->lower[PBY_REFUTE_DELTA]);
        }
    }
    arb_clear(lower);
    fmpq_clear(share.error);
    return read ? PBY_OK : deny(err, "an event without its counts, its error and its bound");
}

static pby_status recount(struct stated *s, const json_t *verdict, mpq_srcptr epsilon, mpq_srcptr delta,
                          mpq_srcptr error, pby_error *err)
{
    static const char *const words[] = {"violation", "consistent", "inconclusive"};
    const json_t *claim = json_object_get(verdict, "claim"), *events = json_object_get(verdict, "events");
    const char *word = pby_json_string(verdict, "verdict");
    fmpq_t asked[PBY_REFUTABLE], most;
    for (int q = 0; q < PBY_REFUTABLE; q++)
        fmpq_init(asked[q]);
    fmpq_init(most);
    fmpq_set_mpq(asked[PBY_REFUTE_EPSILON], epsilon);
    fmpq_set_mpq(asked[PBY_REFUTE_DELTA], delta);
    fmpq_set_mpq(most, error);
    pby_status status = PBY_OK;
    if (strcmp(word, words[0]) != 0 && strcmp(word, words[1]) != 0 && strcmp(word, words[2]) != 0)
        status = deny(err, "expected violation, consistent or inconclusive");
    else if (!read_number(s->claim[PBY_REFUTE_EPSILON], claim, "epsilon") ||
             !read_number(s->claim[PBY_REFUTE_DELTA], claim, "delta") ||
             !read_number(s->lower[PBY_REFUTE_EPSILON], verdict, "epsilon_lower") ||
             !read_number(s->lower[PBY_REFUTE_DELTA], verdict, "delta_lower") ||
             !read_number(s->error, verdict, "error"))
        status = deny(err, "its claim, its error or what it shows is missing");
    else if (!fmpq_equal(s->claim[PBY_REFUTE_EPSILON], asked[PBY_REFUTE_EPSILON]) ||
             !fmpq_equal(s->claim[PBY_REFUTE_DELTA], asked[PBY_REFUTE_DELTA]) || fmpq_cmp(s->error, most) > 0)
        status = deny(err, "not about this claim, or with another error");
    for (int q = 0; q < PBY_REFUTABLE; q++)
        s->shown[q] = fmpq_is_zero(s->lower[q]);
    for (size_t i = 0; i < json_array_size(events) && status == PBY_OK; i++)
        status = recount_event(s, json_array_get(events, i), err);
    const bool refuted = fmpq_cmp(s->lower[PBY_REFUTE_EPSILON], s->claim[PBY_REFUTE_EPSILON]) > 0 ||
                         fmpq_cmp(s->lower[PBY_REFUTE_DELTA], s->claim[PBY_REFUTE_DELTA]) > 0;
    if (status == PBY_OK && fmpq_cmp(s->spent, s->error) > 0)
        status = deny(err, "its events spend more than its error");
    else if (status == PBY_OK && !(s->shown[PBY_REFUTE_EPSILON] && s->shown[PBY_REFUTE_DELTA]))
        status = deny(err, "its counts do not refute what it says is refuted");
    else if (status == PBY_OK && refuted != (strcmp(word, words[0]) == 0))
        status = deny(err, "a violation is what refutes the claim, and nothing else");
    for (int q = 0; q < PBY_REFUTABLE; q++)
        fmpq_clear(asked[q]);
    fmpq_clear(most);
    return status;
}

pby_status pby_recount(const json_t *verdict, mpq_srcptr epsilon, mpq_srcptr delta, mpq_srcptr error,
                       pby_error *err)
{
    struct stated s = {.shown = {false, false}};
    for (int q = 0; q < PBY_REFUTABLE; q++) {
        fmpq_init(s.claim[q]);
        fmpq_init(s.lower[q]);
    }
    fmpq_init(s.error);
    fmpq_init(s.spent);
    const pby_status status = recount(&s, verdict, epsilon, delta, error, err);
    for (int q = 0; q < PBY_REFUTABLE; q++) {
        fmpq_clear(s.lower[q]);
        fmpq_clear(s.claim[q]);
    }
    fmpq_clear(s.spent);
    fmpq_clear(s.error);
    return status;
}
