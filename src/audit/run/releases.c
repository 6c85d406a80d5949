/* SPDX-License-Identifier: MIT */
#include "audit/run/releases.h"

#include <stdlib.h>

#include "base/status.h"
#include "io/file.h"
#include "mechanism/family.h"
#include "release/databases.h"
#include "release/run.h"

struct pby_releases {
    const char *in, *queries;
    pby_spec *spec;
    pby_release *release;
    pby_checked *checked; /* the data, read and checked once; NULL where each release reads its points */
    char *line;
    size_t room;
};

void pby_releases_close(pby_releases *r)
{
    if (r == NULL)
        return;
    pby_checked_free(r->checked);
    pby_release_free(r->release);
    pby_spec_free(r->spec);
    free(r->line);
    free(r);
}

static pby_status read_spec(pby_spec **out, const char *text, const char *queries, pby_error *err)
{
    if (queries != NULL)
        return pby_databases_spec(out, text, queries, "queries", 0, err);
    const pby_status status = pby_spec_parse(out, &text, 1, err);
    if (status == PBY_OK &&
        pby_family_with((*out)->use[0].mechanism.family, PBY_ROLE_TABLE) < PBY_PARAMETERS_MAX)
        return pby_fail(err, PBY_BAD, "queries: expected the table that SPEC '%s' names",
                        pby_spec_text(*out));
    return status;
}

/* A mechanism that publishes the answer of a statistic is asked for the mode, which each of them has. */
static pby_pipeline pipeline_of(const pby_releases *r, const pby_budget *nobody)
{
    static const pby_statistic mode = {.name = PBY_STATISTIC_MODE, .k = 1, .den = 1};
    return (pby_pipeline){.budget = nobody,
                          .names = &pby_arguments_library,
                          .in = r->in,
                          .queries = r->queries,
                          .limit = INT64_MAX,
                          .statistic = pby_release_form_of(r->release) == PBY_RELEASE_STATISTIC ? &mode
                                                                                                : NULL};
}

pby_status pby_releases_open(pby_releases **out, const char *spec, const char *queries,
                             pby_neighbours neighbours, const char *in, pby_error *err)
{
    *out = NULL;
    if (pby_path_named(in) == NULL)
        return pby_refuse(err, "inputs", in, "a file, which every release reads again");
    pby_releases *r = calloc(1, sizeof *r);
    if (r == NULL)
        return pby_no_memory(err);
    r->in = in;
    r->queries = queries;
    pby_status status = read_spec(&r->spec, spec, queries, err);
    if (status == PBY_OK)
        status = pby_release_new(&r->release, r->spec, neighbours, err);
    if (status == PBY_OK) {
        const pby_budget nobody = {.spec = r->spec};
        const pby_pipeline pipeline = pipeline_of(r, &nobody);
        status = pby_pipeline_check(&r->checked, &pipeline, r->release, err);
    }
    if (status != PBY_OK)
        pby_releases_close(r);
    else
        *out = r;
    return status;
}

/* The published lines as one: what ended a line is now between two. */
static pby_status join_lines(pby_releases *r, size_t *length, const uint8_t *bytes, size_t size,
                             pby_error *err)
{
    if (size > 0 && bytes[size - 1] == '\n')
        size--;
    if (size + 1 > r->room) {
        char *more = realloc(r->line, size + 1);
        if (more == NULL)
            return pby_no_memory(err);
        r->line = more;
        r->room = size + 1;
    }
    for (size_t i = 0; i < size; i++)
        r->line[i] = bytes[i] == '\n' ? ',' : (char)bytes[i];
    *length = size;
    return PBY_OK;
}

pby_status pby_releases_next(pby_releases *r, const char **text, size_t *length, pby_error *err)
{
    const pby_budget nobody = {.spec = r->spec};
    const pby_pipeline pipeline = pipeline_of(r, &nobody);
    pby_spool *spool = NULL;
    pby_status status = pby_spool_open_memory(&spool, err);
    if (status == PBY_OK)
        status = pby_pipeline_again(spool, &pipeline, r->release, r->checked, err);
    if (status == PBY_OK) {
        size_t size;
        const uint8_t *bytes = pby_spool_bytes(spool, &size);
        status = join_lines(r, length, bytes, size, err);
    }
    pby_spool_abort(spool);
    *text = r->line;
    return status;
}
