/* SPDX-License-Identifier: MIT */
#include "audit/count/tally.h"
#include "probity/experimental/auditing.h"

#include <stdlib.h>
#include <string.h>

#include "audit/count/kind.h"

int pby_audit_stage(int side, uint64_t place)
{
    const uint64_t bytes[2] = {(uint64_t)side, place};
    const uint64_t part = pby_audit_hash(bytes, sizeof bytes) & (place < PBY_MANY ? 7 : 31);
    return part < PBY_JUDGING ? (int)part : PBY_JUDGING;
}

pby_status pby_audit_new(pby_audit **out, pby_error *err)
{
    pby_audit *audit = *out = calloc(1, sizeof *audit);
    if (audit == NULL)
        return pby_no_memory(err);
    audit->kinds = PBY_EVENT_KINDS_ALL;
    for (unsigned f = 0; f < PBY_FEATURES; f++)
        pby_frequencies_init(&audit->table[f], pby_feature_ordered(f), pby_feature_cap(f));
    return PBY_OK;
}

static void drop_pilot(pby_audit *audit)
{
    for (int side = 0; side < PBY_SIDES; side++) {
        for (size_t i = 0; i < audit->waiting[side]; i++)
            free(audit->pilot[side][i].text);
        free(audit->pilot[side]);
        audit->pilot[side] = NULL;
        audit->waiting[side] = 0;
    }
}

void pby_audit_free(pby_audit *audit)
{
    if (audit == NULL)
        return;
    drop_pilot(audit);
    for (unsigned f = 0; f < PBY_FEATURES; f++)
        pby_frequencies_clear(&audit->table[f]);
    free(audit);
}

uint64_t pby_audit_outputs(const pby_audit *audit, pby_side side)
{
    return audit->outputs[side];
}

void pby_audit_missing(pby_audit *audit, pby_side side, uint64_t outputs)
{
    const uint64_t room = PBY_AUDIT_OUTPUTS_MAX - audit->missing[side];
    audit->missing[side] += outputs < room ? outputs : room;
}

uint64_t pby_audit_given(const pby_audit *audit, unsigned feature, int side, int stage)
{
    return (pby_feature_learned(feature) ? audit->scored : audit->seen)[side][stage];
}

pby_status pby_audit_features(pby_audit *audit, const char *kinds, pby_error *err)
{
    return pby_kinds_parse(&audit->kinds, "features", kinds, err);
}

/* ---- the learned score ------------------------------------------------------------------------ */

static pby_status score(pby_audit *audit, const pby_outcome *outcome, int side, int stage, pby_error *err)
{
    double value;
    audit->scored[side][stage]++;
    PBY_TRY(pby_frequencies_count(&audit->table[PBY_FEATURE_SCORE],
                                  pby_key_of(pby_model_score(&audit->model, outcome)), side, stage, NULL, 0,
                                  err));
    if (pby_relation_value(&value, &audit->model.relation, outcome))
        return pby_frequencies_count(&audit->table[PBY_FEATURE_RELATION], pby_key_of(value), side, stage,
                                     NULL, 0, err);
    return PBY_OK;
}

static void close_learned(pby_audit *audit)
{
    pby_frequencies_close(&audit->table[PBY_FEATURE_SCORE]);
    pby_frequencies_close(&audit->table[PBY_FEATURE_RELATION]);
}

static pby_status train(pby_audit *audit, pby_error *err)
{
    pby_example *example = malloc((audit->waiting[0] + audit->waiting[1] + 1) * sizeof *example);
    if (example == NULL)
        return pby_no_memory(err);
    size_t count = 0;
    for (int side = 0; side < PBY_SIDES; side++)
        for (size_t i = 0; i < audit->waiting[side]; i++) {
            const pby_waiting *w = &audit->pilot[side][i];
            if (w->stage == PBY_ORDERING)
                example[count++] = (pby_example){w->text, w->length, side};
        }
    bool useful;
    const pby_status status = pby_model_train(&audit->model, &useful, example, count, err);
    audit->learning = useful ? PBY_LEARNED : PBY_UNLEARNED;
    free(example);
    return status;
}

pby_status pby_audit_settle(pby_audit *audit, pby_error *err)
{
    if (audit->learning != PBY_WAITING)
        return PBY_OK;
    pby_status status = train(audit, err);
    if (audit->learning == PBY_UNLEARNED)
        close_learned(audit);
    for (int side = 0; side < PBY_SIDES && audit->learning == PBY_LEARNED; side++)
        for (size_t i = 0; i < audit->waiting[side] && status == PBY_OK; i++) {
            const pby_waiting *w = &audit->pilot[side][i];
            pby_outcome outcome;
            pby_outcome_read(&outcome, w->text, w->length);
            status = score(audit, &outcome, side, w->stage, err);
        }
    drop_pilot(audit);
    return status;
}

/* An output that finds no room while the other side's are awaited goes unscored: which ones do is a
 * matter of their places, not of what they are. */
static pby_status wait(pby_audit *audit, const pby_outcome *outcome, int side, int stage, pby_error *err)
{
    if (audit->waiting[side] == PBY_PILOT)
        return PBY_OK;
    if (audit->pilot[side] == NULL)
        audit->pilot[side] = calloc(PBY_PILOT, sizeof **audit->pilot);
    char *copy = audit->pilot[side] == NULL ? NULL : malloc(outcome->length + 1);
    if (copy == NULL)
        return pby_no_memory(err);
    memcpy(copy, outcome->text, outcome->length);
    audit->pilot[side][audit->waiting[side]++] = (pby_waiting){copy, outcome->length, stage};
    const bool full = audit->waiting[PBY_LEFT] == PBY_PILOT && audit->waiting[PBY_RIGHT] == PBY_PILOT;
    return full ? pby_audit_settle(audit, err) : PBY_OK;
}

/* ---- counting --------------------------------------------------------------------------------- */

struct label {
    char *text;
    size_t size, length;
};

static void put_label(struct label *label, const char *text, size_t length)
{
    const size_t room = label->size - label->length, most = length < room ? length : room;
    memcpy(label->text + label->length, text, most);
    label->length += most;
}

/* The text of a pattern: every number a #. */
static size_t pattern_label(struct label *label, const pby_outcome *o)
{
    const char *p = o->text;
    for (size_t i = 0; i < o->count; i++) {
        const pby_token *t = &o->token[i];
        const bool number = t->kind == PBY_NUMBER;
        put_label(label, p, (size_t)(t->text - p));
        put_label(label, number ? "#" : t->text, number ? 1 : t->length);
        p = t->text + t->length;
    }
    if (o->count == o->coordinates)
        put_label(label, p, (size_t)(o->text + o->length - p));
    return label->length;
}

/* Counts a cell that is new, or that has more to do: its label is written only now. */
static pby_status count_reading(pby_audit *audit, const pby_reading *reading, const pby_outcome *o, int side,
                                int stage, pby_error *err)
{
    char label[PBY_FORM_SIZE];
    const char *text = label;
    size_t length = 0;
    if (reading->feature == PBY_FEATURE_OUTPUT) {
        text = o->text;
        length = o->length;
    } else if (reading->feature == PBY_FEATURE_PATTERN) {
        length = pattern_label(&(struct label){label, sizeof label, 0}, o);
    } else if (reading->feature == PBY_FEATURE_FORM) {
        length = pby_form(label, o->text, o->length);
    }
    return pby_frequencies_count(&audit->table[reading->feature], reading->key, side, stage, text, length,
                                 err);
}

static pby_status count(pby_audit *audit, const pby_outcome *o, int side, int stage, pby_error *err)
{
    pby_reading reading[PBY_FEATURES];
    const size_t readings = pby_features_read(reading, o);
    pby_status status = PBY_OK;
    audit->seen[side][stage]++;
    for (size_t i = 0; i < readings; i++)
        pby_frequencies_expect(&audit->table[reading[i].feature], reading[i].key);
    for (size_t i = 0; i < readings && status == PBY_OK; i++)
        if (!pby_frequencies_again(&audit->table[reading[i].feature], reading[i].key, side, stage))
            status = count_reading(audit, &reading[i], o, side, stage, err);
    return status;
}

static pby_status refuse_more(pby_error *err)
{
    return pby_fail(err, PBY_BAD, "outputs: expected at most 2^40 on a side");
}

static pby_status add(pby_audit *audit, int side, int stage, const char *output, size_t length,
                      pby_error *err)
{
    if (length > 0 && output[length - 1] == '\r')
        length--;
    if (audit->outputs[side] >= PBY_AUDIT_OUTPUTS_MAX)
        return refuse_more(err);
    audit->outputs[side]++;
    pby_outcome outcome;
    pby_outcome_read(&outcome, output, length);
    pby_status status = count(audit, &outcome, side, stage, err);
    if (status == PBY_OK && audit->learning == PBY_WAITING)
        return wait(audit, &outcome, side, stage, err);
    return status == PBY_OK && audit->learning == PBY_LEARNED ? score(audit, &outcome, side, stage, err)
                                                              : status;
}

pby_status pby_audit_add(pby_audit *audit, pby_side from, const char *output, size_t length, pby_error *err)
{
    const int side = from == PBY_RIGHT;
    return add(audit, side, pby_audit_stage(side, audit->outputs[side]), output, length, err);
}

pby_status pby_audit_add_chooser(pby_audit *audit, pby_side from, const char *output, size_t length,
                                 pby_error *err)
{
    return add(audit, from == PBY_RIGHT, PBY_ORDERING, output, length, err);
}

/* ---- merging ---------------------------------------------------------------------------------- */

/* Outputs that wait elsewhere wait here, or are scored by what was learned here. */
static pby_status take_waiting(pby_audit *audit, const pby_audit *from, pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t i = 0; i < PBY_PILOT; i++)
        for (int side = 0; side < PBY_SIDES && status == PBY_OK; side++) {
            if (i >= from->waiting[side])
                continue;
            const pby_waiting *w = &from->pilot[side][i];
            pby_outcome outcome;
            pby_outcome_read(&outcome, w->text, w->length);
            if (audit->learning == PBY_WAITING)
                status = wait(audit, &outcome, side, w->stage, err);
            else if (audit->learning == PBY_LEARNED)
                status = score(audit, &outcome, side, w->stage, err);
        }
    return status;
}

/* A model that only one of the two has learned is taken for both; two different models cancel. */
static pby_status merge_learning(pby_audit *audit, const pby_audit *from, pby_error *err)
{
    if (from->learning == PBY_WAITING)
        return take_waiting(audit, from, err);
    if (audit->learning == PBY_WAITING && from->learning == PBY_LEARNED) {
        pby_audit mine = {.learning = PBY_WAITING};
        memcpy(mine.pilot, audit->pilot, sizeof mine.pilot);
        memcpy(mine.waiting, audit->waiting, sizeof mine.waiting);
        memset(audit->pilot, 0, sizeof audit->pilot);
        memset(audit->waiting, 0, sizeof audit->waiting);
        audit->learning = PBY_LEARNED;
        audit->model = from->model;
        const pby_status status = take_waiting(audit, &mine, err);
        drop_pilot(&mine);
        return status;
    }
    if (audit->learning != from->learning || memcmp(&audit->model, &from->model, sizeof audit->model) != 0) {
        drop_pilot(audit);
        audit->learning = PBY_UNLEARNED;
        close_learned(audit);
    }
    return PBY_OK;
}

pby_status pby_audit_merge(pby_audit *audit, const pby_audit *from, pby_error *err)
{
    pby_status status = merge_learning(audit, from, err);
    for (int side = 0; side < PBY_SIDES; side++) {
        audit->outputs[side] += from->outputs[side];
        pby_audit_missing(audit, side == 0 ? PBY_LEFT : PBY_RIGHT, from->missing[side]);
        for (int stage = 0; stage < PBY_STAGES; stage++) {
            audit->seen[side][stage] += from->seen[side][stage];
            audit->scored[side][stage] += from->scored[side][stage];
        }
        if (audit->outputs[side] > PBY_AUDIT_OUTPUTS_MAX)
            return refuse_more(err);
    }
    for (unsigned f = 0; f < PBY_FEATURES && status == PBY_OK; f++)
        status = pby_frequencies_merge(&audit->table[f], &from->table[f], err);
    return status;
}
