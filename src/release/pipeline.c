/* SPDX-License-Identifier: MIT */
#include "release/pipeline.h"

#include <stddef.h>
#include <string.h>

#include "base/status.h"
#include "number/text.h"

#define AT(member) offsetof(pby_pipeline, member)

const pby_pipeline_member pby_pipeline_members[PBY_ARGS] = {
    [PBY_ARG_KEYS] = {PBY_HELD_NAMES, AT(keys)},
    [PBY_ARG_COUNTS] = {PBY_HELD_TEXT, AT(counts)},
    [PBY_ARG_USER] = {PBY_HELD_TEXT, AT(user)},
    [PBY_ARG_FILTER] = {PBY_HELD_PATH, AT(filter)},
    [PBY_ARG_GROUP] = {PBY_HELD_PATH, AT(group)},
    [PBY_ARG_TRUNCATE] = {PBY_HELD_LIMIT, AT(limit)},
    [PBY_ARG_STATISTIC] = {PBY_HELD_STATISTIC, AT(statistic)},
    [PBY_ARG_Q] = {PBY_HELD_TEXT, AT(quantiles)},
    [PBY_ARG_TIMING_SAFE] = {PBY_HELD_FLAG, AT(timing_safe)},
    [PBY_ARG_RANGE] = {PBY_HELD_RANGE, AT(range)},
    [PBY_ARG_QUERIES] = {PBY_HELD_PATH, AT(queries)},
    [PBY_ARG_ALONG] = {PBY_HELD_DIRECTION, AT(along)},
    [PBY_ARG_SCATTER] = {PBY_HELD_SCATTER, AT(scatter)},
    [PBY_ARG_ROUNDS] = {PBY_HELD_ROUNDS, AT(rounds)},
    [PBY_ARG_UTILITY] = {PBY_HELD_TEXT, AT(utility)},
    [PBY_ARG_KEEP] = {PBY_HELD_PATH, AT(keep)},
    [PBY_ARG_STEP] = {PBY_HELD_RATIONAL, AT(step)},
    [PBY_ARG_OUTPUT] = {PBY_HELD_OUTPUT, AT(out)},
    [PBY_ARG_JSON] = {PBY_HELD_FLAG, AT(json)},
};

static const void *member(const pby_pipeline *p, pby_argument which)
{
    return (const char *)p + pby_pipeline_members[which].at;
}

bool pby_pipeline_has(const pby_pipeline *p, pby_argument which)
{
    switch (pby_pipeline_members[which].held) {
    case PBY_HELD_NOT:
        return false;
    case PBY_HELD_FLAG:
        return *(const bool *)member(p, which);
    case PBY_HELD_ROUNDS:
        return *(const uint64_t *)member(p, which) > 0;
    case PBY_HELD_LIMIT:
        return *(const int64_t *)member(p, which) < INT64_MAX;
    default: {
        const void *held;
        memcpy(&held, member(p, which), sizeof held); /* a pointer of some type */
        return held != NULL;
    }
    }
}

const char *pby_pipeline_text(const pby_pipeline *p, pby_argument which)
{
    if (!pby_pipeline_has(p, which))
        return NULL;
    switch (pby_pipeline_members[which].held) {
    case PBY_HELD_TEXT:
    case PBY_HELD_PATH:
    case PBY_HELD_OUTPUT:
        return *(const char *const *)member(p, which);
    case PBY_HELD_NAMES:
        return (*(const pby_key_names *const *)member(p, which))->text;
    case PBY_HELD_DIRECTION:
        return (*(const pby_project *const *)member(p, which))->text;
    case PBY_HELD_SCATTER:
        return (*(const pby_scatter *const *)member(p, which))->path;
    case PBY_HELD_STATISTIC:
        return pby_statistic_text((*(const pby_statistic *const *)member(p, which))->name);
    default:
        return NULL;
    }
}

const char *pby_pipeline_name(const pby_pipeline *p, pby_argument which)
{
    return pby_argument_name(p->names, which);
}

pby_status pby_pipeline_refuse(const pby_pipeline *p, pby_argument which, const char *expected,
                               pby_error *err)
{
    const char *name = pby_pipeline_name(p, which), *text = pby_pipeline_text(p, which);
    if (text != NULL)
        return pby_refuse(err, name, text, expected);
    if (pby_pipeline_members[which].held == PBY_HELD_RATIONAL && pby_pipeline_has(p, which))
        return pby_refuse_mpq(err, name, *(const mpq_srcptr *)member(p, which), expected);
    return pby_fail(err, PBY_BAD, "%s: expected %s", name, expected);
}

bool pby_pipeline_object(const pby_pipeline *p)
{
    return p->json && p->out == NULL;
}

bool pby_pipeline_has_records(const pby_pipeline *p)
{
    return p->table != NULL && pby_table_contributions(p->table) > 0;
}

size_t pby_pipeline_key_columns(const pby_pipeline *p)
{
    if (p->table != NULL)
        return pby_table_key_columns(p->table);
    return p->keys == NULL ? 1 : p->keys->count;
}

pby_argument pby_pipeline_map(const pby_pipeline *p)
{
    return p->group != NULL ? PBY_ARG_GROUP : PBY_ARG_FILTER;
}
