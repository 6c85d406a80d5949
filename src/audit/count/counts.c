/* SPDX-License-Identifier: MIT */
#include "audit/count/counts.h"
#include "probity/experimental/auditing.h"

/* Counts as JSON, so that any machine can count and one can judge.
 *
 * {"probity": "counts", "version": 2, "outputs": [l, r], "seen": [[3], [3]], "scored": [[3], [3]],
 *  "missing": [l, r]?,
 *  "features": [{"name", "level", "closed", "blind", "cells": [["hex key", 6 counts, "label"?], ...]}],
 *  "learning": "waiting" | "learned" | "unlearned", "model": [...],
 *  "waiting": [[[stage, "base64"], ...], [...]]}
 *
 * The cells are sorted by key, so that equal counts give equal texts. */
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/count/tally.h"
#include "base/json.h"

enum { VERSION = 2, COUNTS = PBY_SIDES * PBY_STAGES, MODEL_NUMBERS = sizeof(pby_model) / sizeof(double) };

enum { LEARNINGS = 3 };
static const char *const learning_names[LEARNINGS] = {"waiting", "learned", "unlearned"};

/* ---- writing ---------------------------------------------------------------------------------- */

static json_t *pack_counts(const uint64_t (*count)[PBY_STAGES])
{
    json_t *sides = json_array();
    for (int side = 0; side < PBY_SIDES; side++)
        sides = pby_json_append(sides, json_pack("[I,I,I]", (json_int_t)count[side][0],
                                                 (json_int_t)count[side][1], (json_int_t)count[side][2]));
    return sides;
}

static json_t *pack_cell(const pby_tally_cell *cell)
{
    char key[17];
    snprintf(key, sizeof key, "%" PRIx64, cell->key);
    json_t *row = json_pack("[s]", key);
    for (int i = 0; i < COUNTS; i++)
        row = pby_json_append(row, json_integer((json_int_t)cell->count[i / PBY_STAGES][i % PBY_STAGES]));
    return cell->label == NULL ? row : pby_json_append(row, json_string(cell->label));
}

static json_t *pack_cells(const pby_frequencies *table)
{
    size_t n;
    const pby_tally_cell **cell = pby_frequencies_cells(&n, table, pby_cell_by_key);
    json_t *rows = cell == NULL ? NULL : json_array();
    for (size_t i = 0; i < n && rows != NULL; i++)
        rows = pby_json_append(rows, pack_cell(cell[i]));
    free(cell);
    return rows;
}

static json_t *pack_features(const pby_audit *audit)
{
    json_t *list = json_array();
    for (unsigned f = 0; f < PBY_FEATURES; f++) {
        const pby_frequencies *t = &audit->table[f];
        char name[PBY_FEATURE_NAME_SIZE];
        pby_feature_name(name, f);
        if (t->used > 0 || t->closed || t->blind)
            list = pby_json_append(list, json_pack("{s:s, s:i, s:b, s:b, s:o}", "name", name, "level",
                                                   (int)t->level, "closed", t->closed, "blind", t->blind,
                                                   "cells", pack_cells(t)));
    }
    return list;
}

/* Hexadecimal floats: every bit of them. */
static json_t *pack_model(const pby_model *model)
{
    double number[MODEL_NUMBERS];
    json_t *list = json_array();
    memcpy(number, model, sizeof number);
    for (size_t i = 0; i < MODEL_NUMBERS; i++) {
        char text[40];
        snprintf(text, sizeof text, "%a", number[i]);
        list = pby_json_append(list, json_string(text));
    }
    return list;
}

static json_t *pack_output(const pby_waiting *w)
{
    const size_t size = sodium_base64_encoded_len(w->length, sodium_base64_VARIANT_ORIGINAL);
    char *text = malloc(size);
    if (text == NULL)
        return NULL;
    sodium_bin2base64(text, size, (const unsigned char *)w->text, w->length, sodium_base64_VARIANT_ORIGINAL);
    json_t *pair = json_pack("[i,s]", w->stage, text);
    free(text);
    return pair;
}

static json_t *pack_waiting(const pby_audit *audit)
{
    json_t *sides = json_array();
    for (int side = 0; side < PBY_SIDES; side++) {
        json_t *list = json_array();
        for (size_t i = 0; i < audit->waiting[side]; i++)
            list = pby_json_append(list, pack_output(&audit->pilot[side][i]));
        sides = pby_json_append(sides, list);
    }
    return sides;
}

/* Where something is missing. */
static pby_status add_missing(json_t *object, const pby_audit *audit, pby_error *err)
{
    return audit->missing[0] + audit->missing[1] == 0
               ? PBY_OK
               : pby_json_set(
                     object, "missing",
                     json_pack("[I,I]", (json_int_t)audit->missing[0], (json_int_t)audit->missing[1]), err);
}

json_t *pby_audit_counted(const pby_audit *audit)
{
    json_t *object = json_pack("{s:s, s:i, s:[I,I], s:o, s:o, s:o, s:s, s:o, s:o}", "probity", "counts",
                               "version", VERSION, "outputs", (json_int_t)audit->outputs[0],
                               (json_int_t)audit->outputs[1], "seen", pack_counts(audit->seen), "scored",
                               pack_counts(audit->scored), "features", pack_features(audit), "learning",
                               learning_names[audit->learning], "model", pack_model(&audit->model), "waiting",
                               pack_waiting(audit));
    if (add_missing(object, audit, NULL) == PBY_OK)
        return object;
    json_decref(object);
    return NULL;
}

pby_status pby_audit_write(char **text, const pby_audit *audit, pby_error *err)
{
    *text = pby_json_text(pby_audit_counted(audit), JSON_COMPACT | JSON_PRESERVE_ORDER);
    return *text == NULL ? pby_no_memory(err) : PBY_OK;
}

/* ---- reading ---------------------------------------------------------------------------------- */

static pby_status malformed(const char *what, pby_error *err)
{
    return pby_fail(err, PBY_BAD, "counts: expected %s as an audit writes it", what);
}

/* True if an object has no other members than these. */
static bool has_only(const json_t *object, const char *const *known)
{
    json_t *of = (json_t *)(uintptr_t)object, *value;
    const char *key;
    json_object_foreach(of, key, value)
    {
        const char *const *at = known;
        while (*at != NULL && strcmp(*at, key) != 0)
            at++;
        if (*at == NULL)
            return false;
    }
    return true;
}

static bool read_count(uint64_t *out, const json_t *value)
{
    const json_int_t n = json_integer_value(value);
    if (!json_is_integer(value) || n < 0 || (uint64_t)n > PBY_AUDIT_OUTPUTS_MAX)
        return false;
    *out = (uint64_t)n;
    return true;
}

static bool read_counts(uint64_t out[PBY_SIDES][PBY_STAGES], const json_t *sides)
{
    if (json_array_size(sides) != PBY_SIDES)
        return false;
    for (size_t side = 0; side < PBY_SIDES; side++)
        if (json_array_size(json_array_get(sides, side)) != PBY_STAGES)
            return false;
    for (size_t i = 0; i < COUNTS; i++)
        if (!read_count(&out[i / PBY_STAGES][i % PBY_STAGES],
                        json_array_get(json_array_get(sides, i / PBY_STAGES), i % PBY_STAGES)))
            return false;
    return true;
}

static bool read_cell(pby_tally_cell *cell, const json_t *row)
{
    const char *key = json_string_value(json_array_get(row, 0)),
               *label = json_string_value(json_array_get(row, COUNTS + 1));
    char *end;
    if (json_array_size(row) > COUNTS + 2 || key == NULL || key[0] == '\0' || strlen(key) > 16 ||
        strspn(key, "0123456789abcdef") != strlen(key))
        return false;
    cell->key = strtoull(key, &end, 16);
    cell->label = NULL;
    for (size_t i = 0; i < COUNTS; i++)
        if (!read_count(&cell->count[i / PBY_STAGES][i % PBY_STAGES], json_array_get(row, i + 1)))
            return false;
    if (label != NULL) /* only copied from */
        cell->label = (char *)(uintptr_t)label;
    return true;
}

/* True if a feature can have this key: an ordered one has those of finite numbers, in blocks or not. */
static bool possible(unsigned feature, uint64_t key, unsigned level)
{
    if (level >= 64)
        return key == 0;
    if (level > 0 && key >> (64 - level) != 0)
        return false;
    if (!pby_feature_ordered(feature) || pby_feature_block_bits(feature) > 0)
        return feature < PBY_FEATURE_BITS || key <= UINT8_MAX;
    return pby_key_of(-DBL_MAX) >> level <= key && key <= pby_key_of(DBL_MAX) >> level;
}

/* The cells of a table, each once and none of them empty, may not hold more than was seen: what judges them
 * relies on it. */
static pby_status read_cells(pby_audit *audit, unsigned feature, const json_t *rows, unsigned level,
                             pby_error *err)
{
    uint64_t sum[PBY_SIDES][PBY_STAGES] = {{0}}, last = 0;
    pby_status status = PBY_OK;
    for (size_t i = 0; i < json_array_size(rows) && status == PBY_OK; i++) {
        pby_tally_cell cell;
        if (!read_cell(&cell, json_array_get(rows, i)) || pby_cell_empty(&cell) ||
            !possible(feature, cell.key, level) || (i > 0 && cell.key <= last))
            return malformed("a cell", err);
        last = cell.key;
        for (size_t k = 0; k < COUNTS; k++) {
            const int side = (int)(k / PBY_STAGES), stage = (int)(k % PBY_STAGES);
            sum[side][stage] += cell.count[side][stage];
            if (sum[side][stage] > pby_audit_given(audit, feature, side, stage))
                return malformed("no more in the cells of a feature than there are outputs", err);
        }
        status = pby_frequencies_add(&audit->table[feature], &cell, level, err);
    }
    return status;
}

static pby_status read_feature(pby_audit *audit, const json_t *object, pby_error *err)
{
    const char *name = json_string_value(json_object_get(object, "name"));
    const json_t *cells = json_object_get(object, "cells"), *blind = json_object_get(object, "blind"),
                 *closed = json_object_get(object, "closed");
    const json_int_t level = json_integer_value(json_object_get(object, "level"));
    static const char *const members[] = {"name", "level", "closed", "blind", "cells", NULL};
    for (unsigned f = 0; f < PBY_FEATURES && name != NULL; f++) {
        char known[PBY_FEATURE_NAME_SIZE];
        pby_frequencies *table = &audit->table[f];
        pby_feature_name(known, f);
        if (strcmp(known, name) != 0)
            continue;
        if (!json_is_array(cells) || !json_is_boolean(blind) || !json_is_boolean(closed) || level < 0 ||
            level > (table->ordered ? 64 : 0) || !has_only(object, members) || table->used > 0 ||
            table->closed || table->blind || (json_is_true(closed) && json_array_size(cells) > 0))
            return malformed("a feature", err);
        table->blind = json_is_true(blind);
        if (json_is_true(closed)) {
            pby_frequencies_close(table);
            return PBY_OK;
        }
        const pby_status status = pby_frequencies_coarsen(table, (unsigned)level, err);
        return status != PBY_OK ? status : read_cells(audit, f, cells, (unsigned)level, err);
    }
    return malformed("a feature", err);
}

static pby_status read_model(pby_audit *audit, const json_t *list, pby_error *err)
{
    double number[MODEL_NUMBERS];
    for (size_t i = 0; i < MODEL_NUMBERS; i++) {
        const char *text = json_string_value(json_array_get(list, i));
        char *end;
        number[i] = text == NULL ? 0 : strtod(text, &end);
        if (text == NULL || end == text || *end != '\0' || !isfinite(number[i]))
            return malformed("a model", err);
    }
    memcpy(&audit->model, number, sizeof number);
    return PBY_OK;
}

static pby_status read_waiting(pby_audit *audit, const json_t *list, int side, pby_error *err)
{
    const size_t n = json_array_size(list);
    if (n > PBY_PILOT)
        return malformed("a pilot", err);
    audit->pilot[side] = n == 0 ? NULL : calloc(PBY_PILOT, sizeof **audit->pilot);
    if (n > 0 && audit->pilot[side] == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        const json_t *stage = json_array_get(json_array_get(list, i), 0);
        const char *text = json_string_value(json_array_get(json_array_get(list, i), 1));
        if (text == NULL || json_integer_value(stage) < 0 || json_integer_value(stage) >= PBY_STAGES)
            return malformed("a pilot", err);
        pby_waiting *w = &audit->pilot[side][i];
        const size_t size = strlen(text);
        w->text = malloc(size + 1);
        w->stage = (int)json_integer_value(stage);
        audit->waiting[side]++;
        if (w->text == NULL)
            return pby_no_memory(err);
        if (sodium_base642bin((unsigned char *)w->text, size + 1, text, size, NULL, &w->length, NULL,
                              sodium_base64_VARIANT_ORIGINAL) != 0)
            return malformed("a pilot", err);
    }
    return PBY_OK;
}

static pby_status read_learning(pby_audit *audit, const json_t *object, pby_error *err)
{
    const char *name = json_string_value(json_object_get(object, "learning"));
    size_t known = 0;
    while (known < LEARNINGS && (name == NULL || strcmp(name, learning_names[known]) != 0))
        known++;
    if (known == LEARNINGS)
        return malformed("what was learned", err);
    audit->learning = (pby_learning)known;
    PBY_TRY(read_model(audit, json_object_get(object, "model"), err));
    for (int side = 0; side < PBY_SIDES; side++)
        PBY_TRY(
            read_waiting(audit, json_array_get(json_object_get(object, "waiting"), (size_t)side), side, err));
    return PBY_OK;
}

/* Every output has a cell of this feature: the cells hold all that was seen, but for the judges of a blind
 * table. */
static bool holds_all(const pby_audit *audit, unsigned feature)
{
    const pby_frequencies *table = &audit->table[feature];
    for (size_t k = 0; k < COUNTS && !table->closed; k++) {
        const int side = (int)(k / PBY_STAGES), stage = (int)(k % PBY_STAGES);
        uint64_t sum = 0;
        for (size_t i = 0; i < table->room; i++)
            sum += table->cell[i].count[side][stage];
        if (sum != pby_audit_given(audit, feature, side, stage) && !(table->blind && stage == PBY_JUDGING))
            return false;
    }
    return true;
}

/* True if the outputs that wait, and those that were scored, are among those that were seen. */
static bool learned_from_seen(const pby_audit *audit)
{
    const bool waiting = audit->learning == PBY_WAITING;
    for (size_t side = 0; side < PBY_SIDES; side++) {
        uint64_t waits[PBY_STAGES] = {0};
        for (size_t i = 0; i < audit->waiting[side]; i++)
            waits[audit->pilot[side][i].stage]++;
        for (size_t stage = 0; stage < PBY_STAGES; stage++)
            if (audit->scored[side][stage] > audit->seen[side][stage] ||
                (waiting && audit->scored[side][stage] > 0) || waits[stage] > audit->seen[side][stage] ||
                (!waiting && waits[stage] > 0))
                return false;
    }
    return true;
}

/* Refuses counts that no counting gives, so that a slip of the hand or of a merging script is not judged. */
static pby_status check_whole(const pby_audit *audit, pby_error *err)
{
    static const unsigned always[] = {PBY_FEATURE_OUTPUT, PBY_FEATURE_PATTERN, PBY_FEATURE_LENGTH};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (!holds_all(audit, always[i]))
            return malformed("as many in the cells of output, pattern and length as there are outputs", err);
    if (!learned_from_seen(audit) || (audit->learning == PBY_LEARNED && !holds_all(audit, PBY_FEATURE_SCORE)))
        return malformed("a score of outputs that were seen", err);
    return PBY_OK;
}

static pby_status read_object(pby_audit *audit, const json_t *object, pby_error *err)
{
    static const char *const members[] = {"probity",  "version",  "outputs", "seen",    "scored", "missing",
                                          "features", "learning", "model",   "waiting", NULL};
    const char *kind = json_string_value(json_object_get(object, "probity"));
    const json_t *outputs = json_object_get(object, "outputs"),
                 *features = json_object_get(object, "features"),
                 *missing = json_object_get(object, "missing");
    if (kind == NULL || strcmp(kind, "counts") != 0 ||
        json_integer_value(json_object_get(object, "version")) != VERSION)
        return malformed("a file of counts, version 2,", err);
    if (!has_only(object, members))
        return malformed("the members of a file of counts, and no other,", err);
    if (!read_counts(audit->seen, json_object_get(object, "seen")) ||
        !read_counts(audit->scored, json_object_get(object, "scored")))
        return malformed("the numbers of outputs", err);
    if (json_array_size(outputs) != PBY_SIDES || (missing != NULL && json_array_size(missing) != PBY_SIDES))
        return malformed("a number for each side", err);
    for (size_t side = 0; side < PBY_SIDES; side++) {
        const uint64_t *seen = audit->seen[side];
        if (!read_count(&audit->outputs[side], json_array_get(outputs, side)) ||
            audit->outputs[side] != seen[PBY_ORDERING] + seen[PBY_SELECTING] + seen[PBY_JUDGING])
            return malformed("the numbers of outputs", err);
        if (missing != NULL && !read_count(&audit->missing[side], json_array_get(missing, side)))
            return malformed("the numbers of missing outputs", err);
    }
    pby_status status = read_learning(audit, object, err);
    for (size_t i = 0; i < json_array_size(features) && status == PBY_OK; i++)
        status = read_feature(audit, json_array_get(features, i), err);
    return status == PBY_OK ? check_whole(audit, err) : status;
}

pby_status pby_audit_of_counts(pby_audit **out, const json_t *counts, pby_error *err)
{
    pby_status status = pby_audit_new(out, err);
    if (status != PBY_OK)
        return status;
    status = counts == NULL ? malformed("JSON", err) : read_object(*out, counts, err);
    if (status != PBY_OK) {
        pby_audit_free(*out);
        *out = NULL;
    }
    return status;
}

pby_status pby_audit_read(pby_audit **out, const char *text, size_t length, pby_error *err)
{
    json_t *object = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    const pby_status status = pby_audit_of_counts(out, object, err);
    json_decref(object);
    return status;
}
