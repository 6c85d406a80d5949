/* SPDX-License-Identifier: MIT */
/* The sequential audit: looks at growing sample sizes, each with its part of the error.
 *
 * Look k comes when both sides have 1000 (3/2)^(k-1) outputs, rounded up step by step, and may spend
 * error/(k (k+1)). What a state file holds is all that the next run needs: a run that was stopped and
 * resumed gives what one run would have given. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit/count/counts.h"
#include "audit/count/kind.h"
#include "audit/judge/verdict.h"
#include "audit/run/audit_run.h"
#include "audit/run/run_publish.h"
#include "audit/run/state.h"
#include "base/json.h"
#include "io/file.h"
#include "number/scoped.h"
#include "probity/experimental/auditing.h"

enum { FIRST_LOOK = 1000, STATE_LIMIT = 1 << 30 };

struct sequence {
    const pby_audit_request *r;
    pby_audit *audit;
    uint64_t looks, next;  /* looks spent, and outputs a side at the next one */
    const pby_feed *lines; /* that the outputs come from */
    json_t *last;          /* the verdict of the last look */
    json_t *before;        /* the counts that this run began with, where it reads files and keeps a state */
};

static uint64_t look_at(uint64_t look)
{
    uint64_t at = FIRST_LOOK;
    while (--look > 0)
        at += (at + 1) / 2;
    return at;
}

/* ---- the state -------------------------------------------------------------------------------- */

/* The kinds of event in the order of their own; NULL for all. */
static const char *kinds(const pby_audit_request *r, char text[PBY_EVENT_KINDS_TEXT_SIZE])
{
    unsigned set;
    if (r->features == NULL || pby_kinds_parse(&set, "features", r->features, NULL) != PBY_OK ||
        set == PBY_EVENT_KINDS_ALL)
        return NULL;
    pby_kinds_text(text, set);
    return text;
}

/* The claim, which must be the same from one run to the next. To see a verdict and then choose other kinds of
 * event would be to choose by the judging part. */
static json_t *state_claim(const pby_audit_request *r)
{
    char text[PBY_EVENT_KINDS_TEXT_SIZE];
    char *e = mpq_get_str(NULL, 10, r->epsilon), *d = mpq_get_str(NULL, 10, r->delta),
         *a = mpq_get_str(NULL, 10, r->error);
    const char *features = kinds(r, text);
    json_t *claim = features == NULL ? json_pack("{s:s, s:s, s:s}", "epsilon", e, "delta", d, "error", a)
                                     : json_pack("{s:s, s:s, s:s, s:s}", "epsilon", e, "delta", d, "error", a,
                                                 "features", features);
    free(a);
    free(d);
    free(e);
    if (claim != NULL && r->claimed.value != NULL) {
        char *value = mpq_get_str(NULL, 10, r->claimed.value);
        json_object_set_new(claim, pby_claimed_name(r->claimed.kind), json_string(value));
        free(value);
    }
    return claim;
}

/* Takes the counts. */
static pby_status save_state(const struct sequence *s, json_t *counts, pby_error *err)
{
    char *text = pby_state_text(json_pack("{s:s, s:i, s:I, s:o, s:O?, s:o}", "probity", "audit state",
                                          "version", PBY_STATE_VERSION, "looks", (json_int_t)s->looks,
                                          "claim", state_claim(s->r), "last", s->last, "counts", counts));
    const pby_status status = text == NULL ? pby_no_memory(err)
                                           : pby_audit_save("state", s->r->state, text, err);
    free(text);
    return status;
}

static pby_status save_all(const struct sequence *s, pby_error *err)
{
    return save_state(s, pby_audit_counted(s->audit), err);
}

/* True if the looks that are said to be spent are at least those that so many outputs have had, and the last
 * verdict is that of the last look. More were spent where a run that read files was killed. */
static bool looks_hold(const struct sequence *s)
{
    const uint64_t left = pby_audit_outputs(s->audit, PBY_LEFT),
                   right = pby_audit_outputs(s->audit, PBY_RIGHT), both = left < right ? left : right;
    const json_int_t last = json_integer_value(json_object_get(s->last, "looks"));
    return (s->looks == PBY_STATE_LOOKS_MAX || both < look_at(s->looks + 1)) && (uint64_t)last == s->looks;
}

static pby_status use_state(struct sequence *s, const json_t *state, pby_error *err)
{
    json_t *claim = state_claim(s->r);
    const bool same = json_equal(claim, json_object_get(state, "claim")) == 1;
    json_decref(claim);
    if (!same)
        return pby_refuse(err, "state", s->r->state,
                          "the state of an audit of this claim at this error by these features");
    const json_t *counts = json_object_get(state, "counts");
    const pby_status status = counts == NULL ? pby_refuse(err, "state", s->r->state, "a state with counts")
                                             : pby_audit_of_counts(&s->audit, counts, err);
    if (status != PBY_OK)
        return status;
    s->looks = (uint64_t)json_integer_value(json_object_get(state, "looks"));
    s->last = json_is_object(json_object_get(state, "last")) ? json_deep_copy(json_object_get(state, "last"))
                                                             : NULL;
    return looks_hold(s) ? PBY_OK
                         : pby_refuse(err, "state", s->r->state,
                                      "as many looks as its outputs have had, and the verdict of the last");
}

static pby_status load_state(struct sequence *s, pby_error *err)
{
    if (s->r->state == NULL || access(s->r->state, F_OK) != 0)
        return pby_audit_new(&s->audit, err);
    char *text = NULL;
    size_t size;
    pby_status status = pby_file_read(&text, &size, s->r->state, STATE_LIMIT, err);
    if (status == PBY_OK) {
        json_t *state = pby_state_read(text, size);
        status = state != NULL ? use_state(s, state, err)
                               : pby_refuse(err, "state", s->r->state,
                                            "a file as an earlier sequential audit wrote it, or none yet");
        json_decref(state);
    }
    free(text);
    return status;
}

/* ---- running ---------------------------------------------------------------------------------- */

/* Writes the error that a look has spent to the disk before anything of it is shown: a run that is killed and
 * started again does not spend it twice. The outputs of a file will then be read again, so the state does not
 * hold them before the end of the run; those of a command or of releases are never seen again, so it does. */
static pby_status keep(struct sequence *s, const pby_verdict *verdict, pby_error *err)
{
    json_decref(s->last);
    s->last = NULL;
    pby_status status = pby_audit_object(&s->last, verdict, s->looks, err);
    if (status == PBY_OK && s->r->state != NULL)
        status = s->before != NULL ? save_state(s, json_incref(s->before), err) : save_all(s, err);
    if (status == PBY_OK)
        status = pby_audit_note_sources(s->r, s->lines, err);
    return status == PBY_OK ? pby_audit_report(s->r, verdict, err) : status;
}

static pby_status look(bool *stop, pby_audit *audit, void *what, pby_error *err)
{
    struct sequence *s = what;
    const uint64_t left = pby_audit_outputs(audit, PBY_LEFT), right = pby_audit_outputs(audit, PBY_RIGHT);
    if ((left < right ? left : right) < s->next)
        return PBY_OK;
    PBY_MPQ(error);
    pby_audit_look_error(error, s->r->error, ++s->looks);
    s->next = look_at(s->looks + 1);
    pby_verdict *verdict = NULL;
    pby_status status = pby_audit_judge_request(&verdict, s->r, audit, error, err);
    if (status == PBY_OK)
        status = keep(s, verdict, err);
    *stop = status == PBY_OK && pby_verdict_violation(verdict);
    pby_verdict_free(verdict);
    return status;
}

static pby_status count(struct sequence *s, pby_error *err)
{
    pby_feed lines[2];
    bool stopped = false;
    const bool files = s->r->command == NULL && s->r->release == NULL;
    const bool keeps = files && s->r->state != NULL;
    s->before = keeps ? pby_audit_counted(s->audit) : NULL;
    pby_status status = keeps && s->before == NULL ? pby_no_memory(err) : PBY_OK;
    if (status != PBY_OK)
        return status;
    s->lines = lines;
    pby_compared compared = {.apart = false};
    status = pby_audit_begin(lines, s->r, &compared, err);
    if (status == PBY_OK)
        status = pby_feed_count(s->audit, lines, look, s, &compared, &s->r->observer, &stopped, err);
    if (status == PBY_OK)
        status = pby_audit_compared(s->r, lines, &compared, err);
    pby_unrepeated_free(compared.columns);
    if (status == PBY_OK && !stopped)
        pby_audit_note_missing(s->audit, lines);
    return pby_audit_close(s->r->cut, lines, stopped, status, err);
}

/* True if the last look was a violation: then the audit is over. */
static bool shown(const struct sequence *s)
{
    const char *verdict = json_string_value(json_object_get(s->last, "verdict"));
    return verdict != NULL && strcmp(verdict, "violation") == 0;
}

/* The last look did not know that outputs would be missing. */
static pby_status note_missing(struct sequence *s, pby_error *err)
{
    char reason[PBY_REASON_SIZE];
    if (s->last == NULL || s->audit->missing[0] + s->audit->missing[1] == 0 || shown(s))
        return PBY_OK;
    pby_reason_missing(reason, s->audit->missing);
    const pby_status status = pby_json_set(s->last, "verdict", json_string("inconclusive"), err);
    return status == PBY_OK ? pby_json_set(s->last, "reason", json_string(reason), err) : status;
}

static pby_status conclude(struct sequence *s, pby_error *err)
{
    pby_status status = note_missing(s, err);
    if (status == PBY_OK && s->r->state != NULL)
        status = save_all(s, err);
    if (status != PBY_OK)
        return status;
    if (s->last != NULL)
        return PBY_OK;
    return pby_fail(err, PBY_INCONCLUSIVE,
                    "inconclusive: expected at least %llu outputs of each side for look %llu",
                    (unsigned long long)s->next, (unsigned long long)s->looks + 1);
}

pby_status pby_audit_sequence(json_t **out, const pby_audit_request *r, pby_error *err)
{
    struct sequence s = {.r = r};
    pby_status status = load_state(&s, err);
    s.next = look_at(s.looks + 1);
    if (status == PBY_OK)
        status = pby_audit_select(r, s.audit, err);
    if (status == PBY_OK && !shown(&s))
        status = count(&s, err);
    if (status == PBY_OK)
        status = conclude(&s, err);
    if (status == PBY_OK && r->search == NULL)
        status = pby_audit_keep_verdict(r, s.last, err);
    *out = status == PBY_OK ? s.last : NULL;
    if (status != PBY_OK)
        json_decref(s.last);
    json_decref(s.before);
    pby_audit_free(s.audit);
    return status;
}
