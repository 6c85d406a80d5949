/* SPDX-License-Identifier: MIT */
/* One of several candidates, chosen by its score.
 *
 * table/scored.h says what is read. Written: the name of the candidate, under what the header calls
 * candidates where there is one; in JSON a list of one row, {"key": NAME}. */
#include <stdlib.h>

#include "base/status.h"
#include "mechanism/family.h"
#include "mechanism/shared/scores.h"
#include "probity/experimental/parts.h"
#include "release/input_kind.h"
#include "table/scored.h"

struct input {
    pby_release *release;
    const pby_score_range *range;
    pby_scored *scored;
};

/* Scores outside the range count as its nearer end, which moves no two scores further apart. */
static pby_status take(void *what, mpq_srcptr score, pby_error *err)
{
    const struct input *t = what;
    if (t->range != NULL && mpq_cmp(score, t->range->lo) < 0)
        score = t->range->lo;
    else if (t->range != NULL && mpq_cmp(score, t->range->hi) > 0)
        score = t->range->hi;
    return pby_release_score(t->release, score, err);
}

static pby_status write_header(pby_rows *rows, const pby_scored *scored, pby_error *err)
{
    size_t size;
    const uint8_t *name = pby_scored_header(scored, &size);
    if (rows->store == NULL)
        return name == NULL || rows->json ? PBY_OK
                                          : pby_rows_add(rows, name, size, pby_columns_none, NULL, err);
    const pby_status status = pby_store_shape(rows->store, pby_columns_none, NULL, true, err);
    return status == PBY_OK && name != NULL ? pby_store_head(rows->store, name, size, err) : status;
}

static pby_status write_name(pby_rows *rows, const pby_scored *scored, uint64_t chosen, pby_error *err)
{
    size_t size;
    const pby_status status = write_header(rows, scored, err);
    const uint8_t *name = pby_scored_name(scored, chosen, &size);
    return status == PBY_OK ? pby_rows_add(rows, name, size, pby_columns_none, NULL, err) : status;
}

static pby_status check_scores(const pby_pipeline *p, const pby_release *release, pby_error *err)
{
    (void)release;
    const pby_spec *spec = p->budget->spec;
    return pby_family_with(spec->use[0].mechanism.family, PBY_ROLE_TABLE) == PBY_PARAMETERS_MAX
               ? PBY_OK
               : pby_fail(err, PBY_BAD, "%s: expected the table that SPEC '%s' names",
                          pby_pipeline_name(p, PBY_ARG_QUERIES), pby_spec_text(spec));
}

static pby_status open_scores(void **out, const pby_pipeline *p, pby_release *release, pby_error *err)
{
    const char *expected = pby_scores_expected(&p->budget->spec->use[0].mechanism);
    struct input *in = *out = calloc(1, sizeof *in);
    if (in == NULL)
        return pby_no_memory(err);
    in->release = release;
    in->range = p->range;
    pby_release_clear_scores(release);
    return p->table != NULL ? pby_scored_table(&in->scored, p->table, take, in, expected, err)
                            : pby_scored_read(&in->scored, p->in, take, in, expected, err);
}

static pby_status run_scores(pby_rows *rows, void *what, const pby_pipeline *p, pby_release *release,
                             pby_error *err)
{
    (void)p;
    const struct input *in = what;
    uint64_t chosen;
    PBY_TRY(pby_release_candidate(release, &chosen, err));
    return write_name(rows, in->scored, chosen, err);
}

static void close_scores(void *what)
{
    struct input *in = what;
    if (in != NULL)
        pby_scored_free(in->scored);
    free(in);
}

const pby_input_kind pby_kind_scores = {
    .name = "scores",
    .scored = true,
    .check = check_scores,
    .open = open_scores,
    .run = run_scores,
    .close = close_scores,
};
