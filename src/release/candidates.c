/* SPDX-License-Identifier: MIT */
#include "release/candidates.h"

#include "base/status.h"
#include "mechanism/scores.h"
#include "table/scored.h"

/* Who takes the scores. */
struct taking {
    pby_release *release;
    const pby_score_range *range;
};

static pby_status take(void *what, mpq_srcptr score, pby_error *err)
{
    const struct taking *t = what;
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

pby_status pby_release_candidates(const pby_budget *budget, pby_release *release, pby_table *table,
                                  const char *path, const pby_score_range *range, pby_rows *rows,
                                  pby_error *err)
{
    struct taking taking = {release, range};
    const pby_mechanism *m = &budget->spec->use[0].mechanism;
    pby_scored *scored;
    uint64_t chosen;
    pby_release_clear_scores(release);
    pby_status status = table != NULL
                            ? pby_scored_table(&scored, table, take, &taking, pby_scores_expected(m), err)
                            : pby_scored_read(&scored, path, take, &taking, pby_scores_expected(m), err);
    if (status == PBY_OK)
        status = pby_budget_spend(budget, err);
    if (status == PBY_OK)
        status = pby_release_candidate(release, &chosen, err);
    if (status == PBY_OK)
        status = write_name(rows, scored, chosen, err);
    pby_scored_free(scored);
    return status;
}
