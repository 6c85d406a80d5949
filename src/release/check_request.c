/* SPDX-License-Identifier: MIT */
#include "release/check_request.h"
#include "probity/experimental/parts.h"

#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "mechanism/family.h"
#include "mechanism/run/noise_bars.h"
#include "number/scoped.h"
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
        return first->family == NULL ? PBY_OK
                                     : pby_fail(err, PBY_BAD, "%s: expected the table that SPEC '%s' names",
                                                pby_pipeline_name(p, PBY_ARG_SCATTER), pby_spec_text(spec));
    if (pby_pipeline_has_records(p))
        return pby_pipeline_refuse(p, PBY_ARG_SCATTER, "none beside raw records", err);
    if (first->family == NULL) {
        snprintf(expected, sizeof expected, "a SPEC that names it: scatter:table=%s in front",
                 p->scatter->digest.sha256);
        return pby_pipeline_refuse(p, PBY_ARG_SCATTER, expected, err);
    }
    pby_mechanism_digest(named, first, pby_family_with(first->family, PBY_ROLE_TABLE));
    snprintf(expected, sizeof expected, "the table whose SHA-256 is %s", named);
    return strcmp(named, p->scatter->digest.sha256) == 0
               ? PBY_OK
               : pby_pipeline_refuse(p, PBY_ARG_SCATTER, expected, err);
}

/* A statistic is of one histogram of whole counts. */
static pby_status check_counts(const pby_pipeline *p, const pby_release *release, pby_error *err)
{
    PBY_MPQ(unit);
    pby_release_unit(unit, release);
    const bool whole = mpq_cmp_ui(unit, 1, 1) == 0 && p->step == NULL;
    if (pby_release_uses(release) > 1)
        return pby_pipeline_refuse(p, PBY_ARG_STATISTIC, "one use: several release several histograms", err);
    return whole ? PBY_OK
                 : pby_pipeline_refuse(p, PBY_ARG_STATISTIC,
                                       "a mechanism that releases whole counts: a grid of 1", err);
}

static pby_status check_statistic(const pby_pipeline *p, const pby_release *release, pby_error *err)
{
    const pby_release_form form = pby_release_form_of(release);
    if (form == PBY_RELEASE_STATISTIC)
        return p->statistic != NULL
                   ? PBY_OK
                   : pby_fail(err, PBY_BAD,
                              "%s: expected max, max_k or mode, whose answer SPEC '%s' publishes",
                              pby_pipeline_name(p, PBY_ARG_STATISTIC), pby_spec_text(p->budget->spec));
    if (p->statistic == NULL)
        return pby_release_check_last(release, err);
    if (pby_release_has_last(release) && p->statistic->name == PBY_STATISTIC_SUPPORT)
        return pby_pipeline_refuse(p, PBY_ARG_STATISTIC, "a number behind the last step", err);
    if (form != PBY_RELEASE_COUNTS && form != PBY_RELEASE_PASSED)
        return pby_pipeline_refuse(p, PBY_ARG_STATISTIC, "a mechanism that releases counts", err);
    const pby_status status = check_counts(p, release, err);
    return status == PBY_OK ? pby_statistic_released(p->budget->spec, p->statistic, err) : status;
}

/* Refuses the arguments that this kind of input does not read. */
static pby_status check_unread(const pby_pipeline *p, const pby_input_kind *kind, const pby_release *release,
                               pby_error *err)
{
    static const char histogram[] = "a mechanism that reads KEY,COUNT";
    const struct {
        pby_argument which;
        bool read;
        const char *expected;
    } rows[] = {
        {PBY_ARG_GROUP, kind->histogram, histogram},
        {PBY_ARG_FILTER, kind->histogram, histogram},
        {PBY_ARG_KEYS, kind->histogram, histogram},
        {PBY_ARG_COUNTS, kind->histogram, histogram},
        {PBY_ARG_TRUNCATE, kind->truncates, "a mechanism that reads counts"},
        {PBY_ARG_ALONG, pby_release_dimension(release) == 1, "a mechanism that reads numbers: fbquantile"},
        {PBY_ARG_QUERIES, kind->scored, "a mechanism that answers queries: smalldb"},
        {PBY_ARG_RANGE, kind->scored, "a mechanism that chooses a candidate"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!rows[i].read && pby_pipeline_has(p, rows[i].which))
            return pby_pipeline_refuse(p, rows[i].which, rows[i].expected, err);
    return PBY_OK;
}

static pby_status check_groups(const pby_pipeline *p, pby_error *err)
{
    static const char expected[] =
        "a ledger whose rows are disjoint: two rows of one record may be in one group";
    if (pby_budget_rows(p->budget) == 1)
        return PBY_OK;
    if (p->group != NULL || p->scatter != NULL)
        return pby_pipeline_refuse(p, p->group != NULL ? PBY_ARG_GROUP : PBY_ARG_SCATTER, expected, err);
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
             records ? pby_pipeline_name(p, PBY_ARG_BY) : pby_pipeline_name(p, PBY_ARG_KEYS));
    if (p->statistic != NULL)
        return pby_pipeline_refuse(p, PBY_ARG_STATISTIC, expected, err);
    if (records)
        return PBY_OK;
    if (p->scatter != NULL)
        return pby_pipeline_refuse(p, PBY_ARG_SCATTER, expected, err);
    const pby_argument map = pby_pipeline_map(p);
    return pby_pipeline_has(p, map) ? pby_pipeline_refuse(p, map, expected, err) : PBY_OK;
}

/* A radius counts changes of the histogram that the mechanism sees: a changed record that a map drops would
 * be another change. Rounds are those of choosing. */
static pby_status check_steady(const pby_pipeline *p, const pby_release *release, bool mapped, pby_error *err)
{
    const pby_release_form form = pby_release_form_of(release);
    const char *text = pby_spec_text(p->budget->spec);
    if (p->rounds > 0 && form != PBY_RELEASE_CHOSEN)
        return pby_pipeline_refuse(p, PBY_ARG_ROUNDS, "a mechanism that chooses bars: choosing", err);
    if (form != PBY_RELEASE_STATISTIC && form != PBY_RELEASE_CHOSEN)
        return PBY_OK;
    if (p->limit < INT64_MAX)
        return pby_pipeline_refuse(p, PBY_ARG_TRUNCATE, "a mechanism that releases every bar", err);
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
                        pby_pipeline_name(p, PBY_ARG_UTILITY), pby_spec_text(p->budget->spec));
    if (p->utility != NULL && !asks)
        return pby_pipeline_refuse(p, PBY_ARG_UTILITY, "a threshold with of=utility in front of a mechanism",
                                   err);
    if (p->utility != NULL && (mapped || p->keys == NULL || p->counts == NULL))
        return pby_pipeline_refuse(p, PBY_ARG_UTILITY,
                                   "the names of the keys and the counts beside it, and no map", err);
    if (p->keep != NULL && (mapped || pby_pipeline_key_columns(p) > 1 || !pby_histogram_hides(release) ||
                            pby_release_form_of(release) == PBY_RELEASE_PRESENT))
        return pby_pipeline_refuse(p, PBY_ARG_KEEP,
                                   "a threshold of the rows KEY,COUNT, without a map in front of it", err);
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
        return pby_pipeline_refuse(
            p, PBY_ARG_STEP, "a mechanism of counts or ranges with a sensitivity, which is in steps", err);
    return p->counts != NULL
               ? PBY_OK
               : pby_fail(err, PBY_BAD, "%s: expected %s beside it", pby_pipeline_name(p, PBY_ARG_STEP),
                          pby_pipeline_name(p, PBY_ARG_COUNTS));
}

static pby_status check_timing(const pby_pipeline *p, pby_release *release, pby_error *err)
{
    if (!p->timing_safe)
        return PBY_OK;
    if (p->scatter != NULL)
        return pby_pipeline_refuse(
            p, PBY_ARG_SCATTER, "none beside a timing-safe release: more records take longer to move", err);
    PBY_TRY(pby_release_timing_safe(release, err));
    return pby_points_timing_safe(p->budget->spec, pby_pipeline_name(p, PBY_ARG_TIMING_SAFE), err);
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

pby_status pby_check_numbers(const pby_pipeline *p, pby_error *err)
{
    /* Only a release of counts or of candidates reads these: to ignore one would release something else than
     * was asked for. */
    static const pby_argument unread[] = {
        PBY_ARG_STATISTIC, PBY_ARG_TIMING_SAFE, PBY_ARG_TRUNCATE, PBY_ARG_UTILITY, PBY_ARG_KEEP,
        PBY_ARG_QUERIES,   PBY_ARG_ALONG,       PBY_ARG_STEP,     PBY_ARG_ROUNDS,  PBY_ARG_RANGE,
    };
    if (!pby_pipeline_has_records(p) || p->table->records == NULL || p->table->records->value == NULL)
        return pby_pipeline_refuse(p, p->names->value, "the column of a number", err);
    for (size_t i = 0; i < sizeof unread / sizeof *unread; i++)
        if (pby_pipeline_has(p, unread[i]))
            return pby_pipeline_refuse(p, unread[i],
                                       "counts, in the place of sums, means, variances or quantiles", err);
    return pby_check_unit(p, NULL, NULL, err);
}
