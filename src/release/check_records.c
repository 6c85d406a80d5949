/* SPDX-License-Identifier: MIT */
#include "release/check_records.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/status.h"
#include "certificate/unit.h"
#include "mechanism/family.h"
#include "release/input_histogram.h"

/* Refuses a mechanism that takes a user with so many records to be closer to none than these may be: all in
 * one bar, or each in one of its own; under substitute they leave as many bars and enter as many. */
static pby_status check_mechanism(const pby_mechanism *m, uint64_t contributions, pby_neighbours relation,
                                  pby_error *err)
{
    const uint64_t distance = contributions * (relation == PBY_SUBSTITUTE ? 2 : 1);
    const fmpq *dimensions = pby_mechanism_value(m, PBY_ROLE_DIMENSIONS);
    char expected[128];
    if (pby_mechanism_value(m, PBY_ROLE_NORM) != NULL)
        return pby_mechanism_lengths(m, relation, contributions, err);
    const fmpq *each = pby_mechanism_value(m, PBY_ROLE_EACH);
    if (each == NULL && (uint64_t)pby_mechanism_distance(m, relation) < distance) {
        if (pby_mechanism_value(m, PBY_ROLE_SENSITIVITY) == NULL)
            snprintf(expected, sizeof expected, "one record of a user: it has no sensitivity for more");
        else
            snprintf(expected, sizeof expected,
                     "sensitivity=%" PRIu64 " or more: a user's records move the counts by that", distance);
        return pby_mechanism_refuse(m, expected, err);
    }
    const fmpq *new = pby_mechanism_value(m, PBY_ROLE_NEW);
    if (new != NULL && fmpq_cmp_ui(new, (ulong)contributions) < 0) {
        snprintf(expected, sizeof expected, "new=%" PRIu64 " or more: a user's records bring as many bars",
                 contributions);
        return pby_mechanism_refuse(m, expected, err);
    }
    if (dimensions != NULL && fmpq_cmp_ui(dimensions, (ulong)contributions) < 0) {
        snprintf(expected, sizeof expected, "%s=%" PRIu64 " or more: a user's records are in as many",
                 m->family->parameters[pby_family_with(m->family, PBY_ROLE_DIMENSIONS)].name, contributions);
        return pby_mechanism_refuse(m, expected, err);
    }
    if (each != NULL && fmpq_cmp_ui(each, (ulong)contributions) < 0) {
        snprintf(expected, sizeof expected, "%s=%" PRIu64 " or more: a user's records may be in one bar",
                 m->family->parameters[pby_family_with(m->family, PBY_ROLE_EACH)].name, contributions);
        return pby_mechanism_refuse(m, expected, err);
    }
    return PBY_OK;
}

static pby_status check_distances(const pby_pipeline *p, pby_error *err)
{
    const pby_spec *spec = p->budget->spec;
    pby_neighbours relation;
    PBY_TRY(pby_budget_neighbours(&relation, p->budget, err));
    for (size_t i = 0; i < spec->count; i++)
        PBY_TRY(check_mechanism(&spec->use[i].mechanism, pby_table_contributions(p->table), relation, err));
    return PBY_OK;
}

/* Where keys are published that nobody has listed, which of them occur is told. Without a release it is about
 * numbers, whose distances are checked apart. */
static pby_status check_records(const pby_pipeline *p, const pby_input_kind *kind, const pby_release *release,
                                pby_error *err)
{
    if (release != NULL && !kind->histogram)
        return pby_pipeline_refuse(p, PBY_ARG_BY, "a mechanism that reads counts", err);
    if (pby_budget_rows(p->budget) > 1)
        return pby_pipeline_refuse(p, PBY_ARG_BY,
                                   "a ledger whose rows are disjoint: records are counted once", err);
    if (!pby_table_mapped(p->table) && p->moment != PBY_MOMENT_NONE)
        return pby_fail(
            err, PBY_BAD,
            "%s: expected a public list of the groups, or %s a map of them: no threshold stands in "
            "front of sums, means, variances and quantiles",
            pby_pipeline_name(p, PBY_ARG_FILTER), pby_pipeline_name(p, PBY_ARG_GROUP));
    if (!pby_table_mapped(p->table) && (release == NULL || !pby_histogram_hides(release)))
        return pby_pipeline_refuse(p, PBY_ARG_FILTER,
                                   "a public list of the groups, or a mechanism that hides which occur: "
                                   "threshold, partition",
                                   err);
    return release == NULL ? PBY_OK : check_distances(p, err);
}

/* The unit of privacy is that of the records, or what the caller says of a histogram. */
pby_status pby_check_unit(const pby_pipeline *p, const pby_input_kind *kind, const pby_release *release,
                          pby_error *err)
{
    const bool records = pby_pipeline_has_records(p);
    const char *user = records ? pby_table_user(p->table) : p->user;
    if (records && p->user != NULL && !pby_unit_same(p->user, user))
        return pby_pipeline_refuse(p, PBY_ARG_USER, "the column of the records, or none", err);
    const pby_status status = pby_budget_unit(p->budget, user, pby_pipeline_name(p, PBY_ARG_LEDGER), err);
    return status == PBY_OK && records ? check_records(p, kind, release, err) : status;
}
