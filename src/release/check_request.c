/* SPDX-License-Identifier: MIT */
#include "release/check_request.h"
#include "probity/experimental/parts.h"

#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "mechanism/family.h"
#include "mechanism/run/noise_bars.h"
#include "number/scoped.h"
#include "number/text.h"
#include "probity/experimental/accuracy.h"
#include "release/check_records.h"
#include "release/input_histogram.h"
#include "release/points.h"

pby_status pby_check_scatter(const pby_pipeline *p, pby_error *err)
{
    const pby_spec *spec = p->budget->spec;
    const pby_mechanism *first = &spec->first;
    char expected[160], named[PBY_DIGEST_SIZE];
    if (p->scatter == NULL)
        return first->family == NULL
                   ? PBY_OK
                   : pby_fail(err, PBY_BAD, "%s: expected the table that SPEC '%s' names",
                              pby_argument_name(p->names, PBY_ARG_SCATTER), pby_spec_text(spec));
    if (pby_pipeline_has_records(p))
        return pby_refuse(err, pby_argument_name(p->names, PBY_ARG_SCATTER), p->scatter->path,
                          "none beside raw records");
    if (first->family == NULL) {
        snprintf(expected, sizeof expected, "a SPEC that names it: scatter:table=%s in front",
                 p->scatter->digest.sha256);
        return pby_refuse(err, pby_argument_name(p->names, PBY_ARG_SCATTER), p->scatter->path, expected);
    }
    pby_mechanism_digest(named, first, pby_family_with(first->family, PBY_ROLE_TABLE));
    snprintf(expected, sizeof expected, "the table whose SHA-256 is %s", named);
    return strcmp(named, p->scatter->digest.sha256) == 0
               ? PBY_OK
               : pby_refuse(err, pby_argument_name(p->names, PBY_ARG_SCATTER), p->scatter->path, expected);
}

/* A statistic is of one histogram of whole counts. */
static pby_status check_counts(const pby_pipeline *p, const pby_release *release, pby_error *err)
{
    const char *name = pby_statistic_text(p->statistic->name);
    PBY_MPQ(unit);
    pby_release_unit(unit, release);
    const bool whole = mpq_cmp_ui(unit, 1, 1) == 0 && p->step == NULL;
    if (pby_release_uses(release) > 1)
        return pby_refuse(err, pby_argument_name(p->names, PBY_ARG_STATISTIC), name,
                          "one use: several release several histograms");
    return whole ? PBY_OK
                 : pby_refuse(err, pby_argument_name(p->names, PBY_ARG_STATISTIC), name,
                              "a mechanism that releases whole counts: a grid of 1");
}

static pby_status check_statistic(const pby_pipeline *p, const pby_release *release, pby_error *err)
{
    const pby_release_form form = pby_release_form_of(release);
    if (form == PBY_RELEASE_STATISTIC)
        return p->statistic != NULL
                   ? PBY_OK
                   : pby_fail(err, PBY_BAD,
                              "%s: expected max, max_k or mode, whose answer SPEC '%s' publishes",
                              pby_argument_name(p->names, PBY_ARG_STATISTIC), pby_spec_text(p->budget->spec));
    if (p->statistic == NULL)
        return pby_release_check_last(release, err);
    if (pby_release_has_last(release) && p->statistic->name == PBY_STATISTIC_SUPPORT)
        return pby_refuse(err, pby_argument_name(p->names, PBY_ARG_STATISTIC), "support",
                          "a number behind the last step");
    if (form != PBY_RELEASE_COUNTS && form != PBY_RELEASE_PASSED)
        return pby_refuse(err, pby_argument_name(p->names, PBY_ARG_STATISTIC),
                          pby_statistic_text(p->statistic->name), "a mechanism that releases counts");
    const pby_status status = check_counts(p, release, err);
    return status == PBY_OK ? pby_statistic_released(p->budget->spec, p->statistic, err) : status;
}

/* Refuses the arguments that this kind of input does not read. */
static pby_status check_unread(const pby_pipeline *p, const pby_input_kind *kind, const pby_release *release,
                               pby_error *err)
{
    static const char histogram[] = "a mechanism that reads KEY,COUNT";
    const char *map = p->group != NULL ? p->group : p->filter;
    if (!kind->histogram && map != NULL)
        return pby_refuse(err, pby_pipeline_map_name(p), map, histogram);
    if (!kind->histogram && (p->keys != NULL || p->counts != NULL))
        return pby_refuse(err,
                          p->keys != NULL ? pby_argument_name(p->names, PBY_ARG_KEYS)
                                          : pby_argument_name(p->names, PBY_ARG_COUNTS),
                          p->keys != NULL ? p->keys->text : p->counts, histogram);
    if (!kind->truncates && p->limit < INT64_MAX)
        return pby_fail(err, PBY_BAD, "%s: expected a mechanism that reads counts",
                        pby_argument_name(p->names, PBY_ARG_TRUNCATE));
    if (p->along != NULL && pby_release_dimension(release) != 1)
        return pby_refuse(err, pby_argument_name(p->names, PBY_ARG_ALONG), p->along->text,
                          "a mechanism that reads numbers: fbquantile");
    return PBY_OK;
}

/* Queries and a range are for what chooses among candidates. */
static pby_status check_scores(const pby_pipeline *p, const pby_input_kind *kind, pby_error *err)
{
    if (kind == &pby_kind_scores || kind == &pby_kind_databases)
        return PBY_OK;
    if (p->queries != NULL)
        return pby_refuse(err, pby_argument_name(p->names, PBY_ARG_QUERIES), p->queries,
                          "a mechanism that answers queries: smalldb");
    return p->range == NULL ? PBY_OK
                            : pby_fail(err, PBY_BAD, "%s: expected a mechanism that chooses a candidate",
                                       pby_argument_name(p->names, PBY_ARG_RANGE));
}

static pby_status check_groups(const pby_pipeline *p, pby_error *err)
{
    static const char expected[] =
        "a ledger whose rows are disjoint: two rows of one record may be in one group";
    if (pby_budget_rows(p->budget) == 1)
        return PBY_OK;
    if (p->group != NULL || p->scatter != NULL)
        return pby_refuse(err,
                          p->group != NULL ? pby_argument_name(p->names, PBY_ARG_GROUP)
                                           : pby_argument_name(p->names, PBY_ARG_SCATTER),
                          p->group != NULL ? p->group : p->scatter->path, expected);
    return p->table != NULL && pby_table_grouped(p->table)
               ? pby_fail(err, PBY_BAD, "table: expected %s", expected)
               : PBY_OK;
}

/* A table or a statistic knows bars by one name. */
static pby_status check_keys(const pby_pipeline *p, pby_error *err)
{
    char expected[96];
    const bool records = pby_pipeline_has_records(p);
    if (pby_pipeline_key_columns(p) == 1)
        return PBY_OK;
    snprintf(expected, sizeof expected, "one column of %s: a bar has one name there",
             records ? pby_argument_name(p->names, PBY_ARG_BY) : pby_argument_name(p->names, PBY_ARG_KEYS));
    if (p->statistic != NULL)
        return pby_refuse(err, pby_argument_name(p->names, PBY_ARG_STATISTIC),
                          pby_statistic_text(p->statistic->name), expected);
    if (records)
        return PBY_OK;
    if (p->scatter != NULL)
        return pby_refuse(err, pby_argument_name(p->names, PBY_ARG_SCATTER), p->scatter->path, expected);
    const char *map = p->group != NULL ? p->group : p->filter;
    return map != NULL ? pby_refuse(err, pby_pipeline_map_name(p), map, expected) : PBY_OK;
}

/* A radius counts changes of the histogram that the mechanism sees: a changed record that a map drops would
 * be another change. Rounds are those of choosing. */
static pby_status check_steady(const pby_pipeline *p, const pby_release *release, bool mapped, pby_error *err)
{
    const pby_release_form form = pby_release_form_of(release);
    const char *text = pby_spec_text(p->budget->spec);
    if (p->rounds > 0 && form != PBY_RELEASE_CHOSEN)
        return pby_fail(err, PBY_BAD, "%s: expected a mechanism that chooses bars: choosing",
                        pby_argument_name(p->names, PBY_ARG_ROUNDS));
    if (form != PBY_RELEASE_STATISTIC && form != PBY_RELEASE_CHOSEN)
        return PBY_OK;
    if (p->limit < INT64_MAX)
        return pby_fail(err, PBY_BAD, "%s: expected a mechanism that releases every bar",
                        pby_argument_name(p->names, PBY_ARG_TRUNCATE));
    if (mapped && pby_release_relation(release) != PBY_ADD_REMOVE)
        return pby_refuse(err, "SPEC", text, "add-remove neighbours behind a filter or groups");
    return pby_budget_rows(p->budget) == 1
               ? PBY_OK
               : pby_refuse(err, "SPEC", text, "a ledger whose rows are disjoint: a record is in one bar");
}

/* Utilities are for a threshold of them; a list of kept bars for any threshold, in front of no map. */
static pby_status check_gate(const pby_pipeline *p, const pby_release *release, bool mapped, pby_error *err)
{
    const bool asks = pby_release_by_utility(release);
    if (p->utility == NULL && asks)
        return pby_fail(err, PBY_BAD, "%s: expected the column by which SPEC '%s' keeps bars",
                        pby_argument_name(p->names, PBY_ARG_UTILITY), pby_spec_text(p->budget->spec));
    if (p->utility != NULL && !asks)
        return pby_refuse(err, pby_argument_name(p->names, PBY_ARG_UTILITY), p->utility,
                          "a threshold with of=utility in front of a mechanism");
    if (p->utility != NULL && (mapped || p->keys == NULL || p->counts == NULL))
        return pby_refuse(err, pby_argument_name(p->names, PBY_ARG_UTILITY), p->utility,
                          "the names of the keys and the counts beside it, and no map");
    if (p->keep != NULL && (mapped || pby_pipeline_key_columns(p) > 1 || !pby_histogram_hides(release) ||
                            pby_release_form_of(release) == PBY_RELEASE_PRESENT))
        return pby_refuse(err, pby_argument_name(p->names, PBY_ARG_KEEP), p->keep,
                          "a threshold of the rows KEY,COUNT, without a map in front of it");
    return PBY_OK;
}

/* Steps are told apart by a sensitivity that is counted in them. */
static pby_status check_step(const pby_pipeline *p, const pby_release *release, pby_error *err)
{
    const pby_spec *spec = p->budget->spec;
    const pby_release_form form = pby_release_form_of(release);
    if (p->step == NULL)
        return PBY_OK;
    PBY_MPQ(unit);
    pby_release_unit(unit, release);
    bool fits = mpq_cmp_ui(unit, 1, 1) == 0 &&
                (form == PBY_RELEASE_COUNTS || form == PBY_RELEASE_PASSED || form == PBY_RELEASE_RANGES ||
                 form == PBY_RELEASE_PASSED_RANGES);
    for (size_t i = 0; i < spec->count; i++)
        fits = fits && pby_mechanism_value(&spec->use[i].mechanism, PBY_ROLE_SENSITIVITY) != NULL;
    if (!fits)
        return pby_refuse_mpq(err, pby_argument_name(p->names, PBY_ARG_STEP), p->step,
                              "a mechanism of counts or ranges with a sensitivity, which is in steps");
    return p->counts != NULL ? PBY_OK
                             : pby_fail(err, PBY_BAD, "%s: expected %s beside it",
                                        pby_argument_name(p->names, PBY_ARG_STEP),
                                        pby_argument_name(p->names, PBY_ARG_COUNTS));
}

static pby_status check_timing(const pby_pipeline *p, pby_release *release, pby_error *err)
{
    if (!p->timing_safe)
        return PBY_OK;
    if (p->scatter != NULL)
        return pby_refuse(err, pby_argument_name(p->names, PBY_ARG_SCATTER), p->scatter->path,
                          "none beside a timing-safe release: more records take longer to move");
    PBY_TRY(pby_release_timing_safe(release, err));
    return pby_points_timing_safe(p->budget->spec, pby_argument_name(p->names, PBY_ARG_TIMING_SAFE), err);
}

pby_status pby_check_request(const pby_pipeline *p, const pby_input_kind *kind, pby_release *release,
                             pby_error *err)
{
    const bool mapped = p->group != NULL || p->filter != NULL || p->scatter != NULL ||
                        pby_pipeline_has_records(p) || (p->table != NULL && pby_table_mapped(p->table));
    PBY_TRY(pby_check_unit(p, kind, release, err));
    PBY_TRY(check_statistic(p, release, err));
    if (p->statistic != NULL)
        pby_release_hold_last(release);
    PBY_TRY(check_keys(p, err));
    PBY_TRY(check_unread(p, kind, release, err));
    PBY_TRY(check_scores(p, kind, err));
    if (kind->check != NULL)
        PBY_TRY(kind->check(p, release, err));
    PBY_TRY(pby_check_scatter(p, err));
    PBY_TRY(check_steady(p, release, mapped, err));
    PBY_TRY(check_groups(p, err));
    PBY_TRY(check_gate(p, release, mapped, err));
    PBY_TRY(check_step(p, release, err));
    PBY_TRY(check_timing(p, release, err));
    if (mapped)
        PBY_TRY(pby_release_mapped(release, err));
    return p->limit < INT64_MAX ? pby_release_truncate(release, p->limit, err) : PBY_OK;
}

static const char in_place_of_numbers[] = "counts, in the place of sums, means, variances or quantiles";

/* Refuses the arguments that only a release of counts or of candidates reads: to ignore one would release
 * something else than was asked for. */
static pby_status check_unread_by_numbers(const pby_pipeline *p, pby_error *err)
{
    const pby_arguments *names = p->names;
    const struct {
        const char *name, *value;
    } texts[] = {{pby_argument_name(names, PBY_ARG_UTILITY), p->utility},
                 {pby_argument_name(names, PBY_ARG_KEEP), p->keep},
                 {pby_argument_name(names, PBY_ARG_QUERIES), p->queries},
                 {pby_argument_name(names, PBY_ARG_ALONG), p->along != NULL ? p->along->text : NULL}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].value != NULL)
            return pby_refuse(err, texts[i].name, texts[i].value, in_place_of_numbers);
    if (p->step != NULL)
        return pby_refuse_mpq(err, pby_argument_name(names, PBY_ARG_STEP), p->step, in_place_of_numbers);
    if (p->rounds > 0 || p->range != NULL)
        return pby_fail(err, PBY_BAD, "%s: expected %s",
                        p->rounds > 0 ? pby_argument_name(names, PBY_ARG_ROUNDS)
                                      : pby_argument_name(names, PBY_ARG_RANGE),
                        in_place_of_numbers);
    return PBY_OK;
}

pby_status pby_check_numbers(const pby_pipeline *p, pby_error *err)
{
    if (!pby_pipeline_has_records(p) || p->table->records == NULL || p->table->records->value == NULL)
        return pby_fail(err, PBY_BAD, "%s: expected the column of a number",
                        pby_argument_name(p->names, p->names->value));
    if (p->statistic != NULL)
        return pby_refuse(err, pby_argument_name(p->names, PBY_ARG_STATISTIC),
                          pby_statistic_text(p->statistic->name), in_place_of_numbers);
    if (p->limit < INT64_MAX || p->timing_safe)
        return pby_fail(err, PBY_BAD, "%s: expected %s",
                        p->timing_safe ? pby_argument_name(p->names, PBY_ARG_TIMING_SAFE)
                                       : pby_argument_name(p->names, PBY_ARG_TRUNCATE),
                        in_place_of_numbers);
    PBY_TRY(check_unread_by_numbers(p, err));
    return pby_check_unit(p, NULL, NULL, err);
}
