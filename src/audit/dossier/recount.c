/* SPDX-License-Identifier: MIT */
#include "audit/dossier/recount.h"
#include "audit/count/count_table.h"
#include "certificate/differ.h"
#include "probity/experimental/auditing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/judge/verdict.h"
#include "audit/report/verdict_answer.h"
#include "base/json.h"
#include "io/digest.h"
#include "number/scoped.h"
#include "probity/rational.h"

/* The parts of so many outputs a side are counted out again. Of more, the judges are as the events say.
 * Version 1 was also written when later places had other parts. */
enum { RECOUNTED = 1 << 26, RECOUNTED_ONCE = PBY_MANY };

struct recount {
    const json_t *stated;
    const pby_planned_audit *audit;
    int version;
    pby_verdict *v; /* computed again */
};

/* ---- counts ----------------------------------------------------------------------------------- */

static bool read_count(uint64_t *out, const json_t *value)
{
    const json_int_t n = json_integer_value(value);
    *out = (uint64_t)n;
    return json_is_integer(value) && n >= 0 && (uint64_t)n <= PBY_AUDIT_OUTPUTS_MAX;
}

/* [x, n], with x <= n. */
static bool read_pair(uint64_t *x, uint64_t *n, const json_t *counts, int side)
{
    const json_t *pair = json_object_get(counts, pby_side_names[side]);
    return json_array_size(pair) == 2 && read_count(x, json_array_get(pair, 0)) &&
           read_count(n, json_array_get(pair, 1)) && *x <= *n;
}

static bool read_evidence(pby_evidence *e, const json_t *counts, int accused)
{
    return read_pair(&e->x, &e->n, counts, accused) && read_pair(&e->y, &e->m, counts, 1 - accused);
}

static uint64_t count_judges(int side, uint64_t outputs)
{
    uint64_t judges = 0;
    for (uint64_t place = 0; place < outputs; place++)
        judges += pby_audit_stage(side, place) == PBY_JUDGING;
    return judges;
}

/* Behind a header the first output of a side shows what the columns hold, so it does not judge: then both
 * sides say so. */
static bool behind_header(const json_t *judges, const uint64_t counted[PBY_SIDES])
{
    bool differs = false;
    for (int side = 0; side < PBY_SIDES; side++) {
        const uint64_t first = pby_audit_stage(side, 0) == PBY_JUDGING;
        uint64_t stated;
        if (!read_count(&stated, json_object_get(judges, pby_side_names[side])) ||
            stated + first != counted[side])
            return false;
        differs = differs || first > 0;
    }
    return differs;
}

static pby_status read_judges(struct recount *r, pby_error *err)
{
    const json_t *judges = json_object_get(r->stated, "judges");
    const uint64_t most = r->version == 1 ? RECOUNTED_ONCE : RECOUNTED;
    uint64_t *n = r->v->judges;
    bool all = true;
    for (int side = 0; side < PBY_SIDES; side++) {
        all = all && r->v->outputs[side] <= most;
        if (!read_count(&n[side], json_object_get(judges, pby_side_names[side])) ||
            n[side] > r->v->outputs[side])
            return pby_differ_deny(err, "verdict.judges", "no more than there are outputs");
    }
    for (int side = 0; side < PBY_SIDES && all; side++)
        n[side] = count_judges(side, r->v->outputs[side]);
    if (all && behind_header(judges, n))
        for (int side = 0; side < PBY_SIDES; side++)
            n[side] -= pby_audit_stage(side, 0) == PBY_JUDGING;
    return PBY_OK;
}

/* The outputs that came are at most those that were asked for, and their places tell which of them judge. */
static pby_status read_outputs(struct recount *r, pby_error *err)
{
    const json_t *outputs = json_object_get(r->stated, "outputs");
    const uint64_t asked = r->audit->outputs; /* 0: as many as the files have */
    for (int side = 0; side < PBY_SIDES; side++) {
        uint64_t *n = &r->v->outputs[side];
        if (!read_count(n, json_object_get(outputs, pby_side_names[side])) || *n == 0 ||
            (asked != 0 && *n > asked))
            return pby_differ_deny(err, "verdict.outputs",
                                   "as many as the plan asks for, or fewer, but some");
        r->v->missing[side] = asked == 0 ? 0 : asked - *n;
    }
    return read_judges(r, err);
}

/* ---- events ----------------------------------------------------------------------------------- */

/* True if outputs may have gone unscored: one that waits for the learned score while the other side has ended
 * finds no room. */
static bool unscored(const pby_verdict *v, const pby_judged *j)
{
    return j->kind == PBY_EVENT_SCORE && v->missing[0] + v->missing[1] > 0;
}

/* True if the numbers of outputs of an event are those of the sample. Those of a table that is blind are 0.
 */
static bool sums_hold(const pby_verdict *v, const pby_judged *j)
{
    const bool blind = j->judged.n == 0 && j->judged.m == 0 && j->judged.x == 0 && j->judged.y == 0;
    const bool fewer = unscored(v, j);
    const uint64_t chosen[2] = {j->chosen.n, j->chosen.m}, judged[2] = {j->judged.n, j->judged.m};
    for (int i = 0; i < PBY_SIDES; i++) {
        const int side = i == 0 ? j->event.accused : 1 - j->event.accused;
        const uint64_t others = v->outputs[side] - v->judges[side];
        if (chosen[i] > others || judged[i] > v->judges[side])
            return false;
        if (!fewer && (chosen[i] != others || (judged[i] != v->judges[side] && !blind)))
            return false;
    }
    return true;
}

static bool read_kind(pby_event_kind *out, const char *name, unsigned kinds)
{
    for (int kind = 0; kind < PBY_EVENT_KINDS; kind++)
        if (kinds >> kind & 1 && strcmp(pby_kind_name((pby_event_kind)kind), name) == 0) {
            *out = (pby_event_kind)kind;
            return true;
        }
    return false;
}

static bool read_bound(unsigned *split, const char *bound)
{
    char text[32];
    *split = 0;
    if (strcmp(bound, "joint") == 0)
        return true;
    for (*split = 1; *split < PBY_SPLITS; ++*split) {
        snprintf(text, sizeof text, "split %u/%d", *split, PBY_SPLITS);
        if (strcmp(bound, text) == 0)
            return true;
    }
    return false;
}

static pby_status deny_event(pby_error *err, size_t i, const char *member, const char *expected)
{
    char name[64];
    snprintf(name, sizeof name, "verdict.events[%zu]%s", i, member);
    return pby_differ_deny(err, name, expected);
}

static pby_status read_event(struct recount *r, size_t i, pby_error *err)
{
    const json_t *event = json_array_get(json_object_get(r->stated, "events"), i);
    const char *accused = pby_json_string(event, "accused");
    pby_judged *j = &r->v->event[i];
    j->event.accused = strcmp(accused, "right") == 0 ? PBY_RIGHT : PBY_LEFT;
    if (j->event.accused == PBY_LEFT && strcmp(accused, "left") != 0)
        return deny_event(err, i, ".accused", "left or right");
    if (!read_kind(&j->kind, pby_json_string(event, "kind"), r->v->kinds))
        return deny_event(err, i, ".kind", "a kind of event that was asked for");
    if (!read_evidence(&j->chosen, json_object_get(event, "chosen"), j->event.accused) ||
        !read_evidence(&j->judged, json_object_get(event, "judged"), j->event.accused))
        return deny_event(err, i, ".judged", "counts, [x, n] with x up to n on each side, as in chosen");
    if (!sums_hold(r->v, j))
        return deny_event(err, i, ".judged", "it and chosen together of all outputs");
    j->text = strdup(pby_json_string(event, "text"));
    j->ranges = strdup(pby_json_string(event, "ranges"));
    if (j->text == NULL || j->ranges == NULL)
        return pby_no_memory(err);
    return read_bound(&j->event.share.split, pby_json_string(event, "bound"))
               ? PBY_OK
               : deny_event(err, i, ".bound", "joint or split k/64");
}

static void share(pby_verdict *v)
{
    PBY_FMPQ(error);
    fmpq_set_si(error, PBY_BAND_PARTS - 1, PBY_BAND_PARTS);
    fmpq_mul(error, error, &v->error);
    for (size_t i = 0; i < v->events; i++)
        pby_event_share(&v->event[i].event, i, v->events, error);
}

static pby_status read_events(struct recount *r, pby_error *err)
{
    const json_t *events = json_object_get(r->stated, "events");
    pby_status status = PBY_OK;
    if (!json_is_array(events) || json_array_size(events) > PBY_EVENTS)
        return pby_differ_deny(err, "verdict.events", "a list of at most 8 events");
    for (size_t i = 0; i < json_array_size(events) && status == PBY_OK; i++, r->v->events++)
        status = read_event(r, i, err);
    if (status != PBY_OK)
        return status;
    share(r->v);
    for (size_t i = 0; i < r->v->events; i++)
        if (!pby_event_split_fits(&r->v->event[i].event, r->v->event[i].chosen, &r->v->delta))
            return deny_event(err, i, ".bound", "the one that its counts in chosen choose");
    return PBY_OK;
}

/* ---- the profile ------------------------------------------------------------------------------ */

static bool read_within(pby_empirical *p, const json_t *list, int side)
{
    uint64_t last = 0;
    for (size_t i = 0; i < p->cells; i++) {
        uint64_t *x = &p->within[side][i];
        if (!read_count(x, json_array_get(list, i)) || *x < last || *x > p->total[side])
            return false;
        last = *x;
    }
    return json_array_size(list) == p->cells;
}

/* Its judges are those of the sample; fewer, where the witness is an event of the learned score and outputs
 * are missing. */
static bool totals_hold(const pby_verdict *v)
{
    const pby_empirical *p = &v->profile;
    const bool fewer = unscored(v, pby_verdict_witness(v));
    for (int side = 0; side < PBY_SIDES; side++) {
        const uint64_t judges = v->events == 0 ? 0 : v->judges[side];
        if (p->total[side] > judges || (!fewer && p->total[side] != judges))
            return false;
    }
    return (p->cells > 0) == (p->total[0] > 0 && p->total[1] > 0);
}

static pby_status read_profile(struct recount *r, pby_error *err)
{
    const json_t *counts = json_object_get(r->stated, "profile_counts"),
                 *judges = json_object_get(counts, "judges");
    pby_empirical *p = &r->v->profile;
    if (r->version == 1)
        return PBY_OK;
    p->cells = json_array_size(json_object_get(counts, "left"));
    if (p->cells > PBY_EMPIRICAL_CELLS)
        return pby_differ_deny(err, "verdict.profile_counts", "at most 256 cells");
    for (int side = 0; side < PBY_SIDES; side++)
        if (!read_count(&p->total[side], json_object_get(judges, pby_side_names[side])) ||
            !read_within(p, json_object_get(counts, pby_side_names[side]), side))
            return pby_differ_deny(err, "verdict.profile_counts",
                                   "counts that rise, up to those of its judges");
    return totals_hold(r->v)
               ? PBY_OK
               : pby_differ_deny(err, "verdict.profile_counts.judges", "the judges of the sample");
}

/* ---- what is stated --------------------------------------------------------------------------- */

static bool has_texts(const json_t *object, const char *const *name)
{
    for (; *name != NULL; name++)
        if (!json_is_string(json_object_get(object, *name)))
            return false;
    return true;
}

/* A search is there where the plan asks for one, and of the inputs that it names. */
static pby_status check_search(const struct recount *r, pby_error *err)
{
    static const char *const texts[] = {"inputs", "left", "right", "pattern", NULL}, *const numbers[] = {
                                                                                         "pairs",
                                                                                         "passed_over",
                                                                                         "outputs"};
    const json_t *search = json_object_get(r->stated, "search");
    uint64_t n;
    if ((search != NULL) != (r->audit->search != NULL))
        return pby_differ_deny(err, "verdict.search",
                               "it where the plan asks for a search, and nowhere else");
    if (search == NULL)
        return PBY_OK;
    bool holds = json_object_size(search) == 7 && has_texts(search, texts) &&
                 strcmp(pby_json_string(search, "inputs"), r->audit->search) == 0;
    for (size_t i = 0; i < 3; i++)
        holds = holds && read_count(&n, json_object_get(search, numbers[i]));
    return holds ? PBY_OK : pby_differ_deny(err, "verdict.search", "a search of the inputs of the plan");
}

static pby_status check_sources(const struct recount *r, pby_error *err)
{
    static const char *const texts[] = {"what", "name", "sha256", NULL};
    const json_t *sources = json_object_get(r->stated, "sources");
    bool holds = json_is_array(sources);
    for (size_t i = 0; i < json_array_size(sources) && holds; i++) {
        const json_t *source = json_array_get(sources, i);
        holds = json_object_size(source) == 3 && has_texts(source, texts) &&
                pby_digest_is(pby_json_string(source, "sha256"));
    }
    return holds ? PBY_OK : pby_differ_deny(err, "verdict.sources", "a list of names and their SHA-256");
}

/* ---- what is computed ------------------------------------------------------------------------- */

/* True if a text has the spelling of a lower bound. */
static bool spelled(const char *text, mpq_srcptr value)
{
    char again[PBY_DECIMAL_SIZE];
    PBY_MPFR(256, x);
    mpfr_set_q(x, value, MPFR_RNDU); /* by less than a digit that is written */
    pby_decimal(again, x, PBY_VERDICT_DIGITS, true);
    return strcmp(again, text) == 0;
}

/* True if a text is at most what was shown, and at most one part in 10^8 less than the text of that. */
static bool nearly(const char *stated, const char *computed, const arb_t shown)
{
    mpq_t x, y;
    bool yes = false;
    mpq_inits(x, y, NULL);
    PBY_FMPQ(low, high, exact);
    if (arb_is_finite(shown) && pby_rational_parse(x, "stated", stated, NULL) == PBY_OK && mpq_sgn(x) > 0 &&
        pby_rational_parse(y, "computed", computed, NULL) == PBY_OK && spelled(stated, x)) {
        fmpq_set_mpq(low, x);
        arf_get_fmpq(exact, arb_midref(shown));
        yes = fmpq_cmp(low, exact) <= 0;
        fmpq_set_si(exact, 100000001, 100000000);
        fmpq_mul(low, low, exact);
        fmpq_set_mpq(high, y);
        yes = yes && fmpq_cmp(low, high) >= 0;
    }
    mpq_clears(x, y, NULL);
    return yes;
}

/* Takes a stated decimal that differs from ours by no more than another machine's C library may. */
static void take_lower(const struct recount *r, int question, const char *name)
{
    char *computed = r->v->lower_text[question];
    const char *stated = pby_json_string(r->stated, name);
    if (strcmp(stated, computed) != 0 && nearly(stated, computed, r->v->lower[question]))
        strcpy(computed, stated);
}

/* Methods that results of version 1 have in their own words. */
static bool known_method(const char *text)
{
    static const char once[] =
        "a quarter of the outputs, by a keyed hash of their place, chose the events and the others judged "
        "them; certified binomial tails (Clopper-Pearson), P and Q split or jointly as chosen with the "
        "event; of the error, 1/10 is for the profile's band, and of the rest the first event has 1/2, the "
        "next 1/4, and so on";
    return strcmp(text, once) == 0;
}

/* Puts a member that is stated in the place of the computed one, where it is there. */
static pby_status take(json_t *computed, const struct recount *r, const char *name, pby_error *err)
{
    const json_t *value = json_object_get(r->stated, name);
    return value == NULL ? PBY_OK : pby_json_set(computed, name, json_deep_copy(value), err);
}

static pby_status compare(const struct recount *r, pby_error *err)
{
    json_t *computed = pby_verdict_object(r->v);
    pby_status status = computed == NULL ? pby_no_memory(err) : PBY_OK;
    if (status == PBY_OK)
        status = take(computed, r, "search", err);
    if (status == PBY_OK)
        status = take(computed, r, "sources", err);
    if (status == PBY_OK && r->version == 1) {
        status = take(computed, r, "profile", err);
        if (status == PBY_OK && known_method(pby_json_string(r->stated, "method")))
            status = take(computed, r, "method", err);
    } else if (status == PBY_OK)
        status = pby_verdict_add_counts(computed, r->v, err);
    if (status == PBY_OK)
        status = pby_differ("verdict", r->stated, computed, err);
    json_decref(computed);
    return status;
}

/* The point at which a claim of rho or mu was judged is stated: it must be one that the claim has. The counts
 * by which the choosing part picked it are not there. */
static pby_status read_point(const struct recount *r, pby_error *err)
{
    const pby_divergence_claim *claimed = &r->audit->claimed;
    const json_t *claim = json_object_get(r->stated, "claim");
    PBY_MPQ(epsilon, delta);
    if (claimed->value == NULL)
        return PBY_OK;
    if (pby_rational_parse(epsilon, "epsilon", pby_json_string(claim, "epsilon"), NULL) != PBY_OK ||
        pby_rational_parse(delta, "delta", pby_json_string(claim, "delta"), NULL) != PBY_OK ||
        !pby_claimed_allows(claimed, epsilon, delta))
        return pby_differ_deny(err, "verdict.claim", "an epsilon of the claim, and the delta that it allows");
    fmpq_set_mpq(&r->v->epsilon, epsilon);
    fmpq_set_mpq(&r->v->delta, delta);
    fmpq_set_mpq(&r->v->value, claimed->value);
    r->v->claimed = claimed->kind;
    return PBY_OK;
}

static pby_status recount(struct recount *r, pby_error *err)
{
    pby_status status = read_point(r, err);
    r->v->kinds = PBY_EVENT_KINDS_ALL;
    if (status == PBY_OK && r->audit->features != NULL)
        status = pby_kinds_parse(&r->v->kinds, "features", r->audit->features, err);
    if (status == PBY_OK)
        status = check_search(r, err);
    if (status == PBY_OK)
        status = check_sources(r, err);
    if (status == PBY_OK)
        status = read_outputs(r, err);
    if (status == PBY_OK)
        status = read_events(r, err);
    if (status != PBY_OK)
        return status;
    pby_verdict_conclude(r->v);
    take_lower(r, PBY_REFUTE_EPSILON, "epsilon_lower");
    take_lower(r, PBY_REFUTE_DELTA, "delta_lower");
    status = read_profile(r, err);
    return status == PBY_OK ? compare(r, err) : status;
}

pby_status pby_recount(const json_t *verdict, int version, const pby_planned_audit *audit, mpq_srcptr error,
                       pby_error *err)
{
    struct recount r = {.stated = verdict, .audit = audit, .version = version};
    if (!json_is_object(verdict))
        return pby_differ_deny(err, "verdict", "an object");
    r.v = pby_verdict_new(audit->epsilon, audit->delta, error);
    const pby_status status = r.v == NULL ? pby_no_memory(err) : recount(&r, err);
    pby_verdict_free(r.v);
    return status;
}
