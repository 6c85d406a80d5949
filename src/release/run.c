/* SPDX-License-Identifier: MIT */
#include "release/run.h"
#include "probity/experimental/parts.h"

#include <stdlib.h>

#include "base/status.h"
#include "mechanism/family.h"
#include "number/scoped.h"
#include "release/check_request.h"
#include "release/input_kind.h"
#include "release/released_statistic.h"

/* ---- the kind of input ------------------------------------------------------------------------- */

static pby_input takes_of(const pby_spec *spec)
{
    return spec->count == 1 ? spec->use[0].mechanism.family->takes : PBY_TAKES_COUNTS;
}

static const pby_input_kind *kind_of(const pby_pipeline *p, const pby_release *release)
{
    if (p->moment != PBY_MOMENT_NONE)
        return p->moment == PBY_MOMENT_QUANTILE ? &pby_kind_quantiles : &pby_kind_moments;
    const pby_release_form form = pby_release_form_of(release);
    switch (takes_of(p->budget->spec)) {
    case PBY_TAKES_POINTS:
        return form == PBY_RELEASE_POINT ? &pby_kind_lattice : &pby_kind_points;
    case PBY_TAKES_ANSWERS:
        return &pby_kind_answers;
    case PBY_TAKES_SCORES:
        return p->queries != NULL ? &pby_kind_databases : &pby_kind_scores;
    case PBY_TAKES_COUNTS:
        break;
    }
    return form == PBY_RELEASE_STATISTIC          ? &pby_kind_settled
           : form == PBY_RELEASE_CHOSEN           ? &pby_kind_chosen
           : form == PBY_RELEASE_PASSED_CANDIDATE ? &pby_kind_passed
                                                  : &pby_kind_counts;
}

/* ---- the request ------------------------------------------------------------------------------- */

static pby_status begin(pby_release **out, const pby_pipeline *p, pby_error *err)
{
    pby_neighbours relation;
    PBY_TRY(pby_budget_neighbours(&relation, p->budget, err));
    PBY_TRY(pby_release_new(out, p->budget->spec, relation, err));
    return pby_check_request(p, kind_of(p, *out), *out, err);
}

pby_status pby_pipeline_begin(pby_release **out, const pby_pipeline *p, pby_error *err)
{
    *out = NULL;
    if (p->moment != PBY_MOMENT_NONE)
        return kind_of(p, NULL)->check(p, NULL, err);
    const pby_status status = begin(out, p, err);
    if (status != PBY_OK) {
        pby_release_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- an input that is ready to run ------------------------------------------------------------- */

struct pby_checked {
    const pby_input_kind *kind;
    void *in;
    bool released; /* once at least, so that the rows have been read to their end */
};

static pby_status open_input(pby_checked *c, const pby_pipeline *p, pby_release *release, pby_error *err)
{
    *c = (pby_checked){.kind = kind_of(p, release)};
    return c->kind->open(&c->in, p, release, err);
}

static void close_input(pby_checked *c)
{
    c->kind->close(c->in);
}

void pby_checked_free(pby_checked *checked)
{
    if (checked == NULL)
        return;
    close_input(checked);
    free(checked);
}

pby_status pby_pipeline_check(pby_checked **out, const pby_pipeline *p, pby_release *release, pby_error *err)
{
    *out = NULL;
    if (kind_of(p, release)->again == NULL)
        return PBY_OK;
    PBY_TRY(pby_check_scatter(p, err));
    pby_checked *checked = malloc(sizeof *checked);
    if (checked == NULL)
        return pby_no_memory(err);
    const pby_status status = open_input(checked, p, release, err);
    if (status != PBY_OK)
        pby_checked_free(checked);
    else
        *out = checked;
    return status;
}

/* ---- the charge and the release ---------------------------------------------------------------- */

/* Everything has been checked, and nothing has been drawn: this is the one place that charges. */
static pby_status charge_and_run(pby_checked *c, pby_rows *rows, const pby_pipeline *p, pby_release *release,
                                 pby_error *err)
{
    if (c->released)
        PBY_TRY(c->kind->again(c->in, p, release, err));
    c->released = true;
    PBY_TRY(pby_budget_spend(p->budget, err));
    PBY_TRY(c->kind->run(rows, c->in, p, release, err));
    if (p->learned == NULL)
        return PBY_OK;
    p->learned->layout = (pby_layout){.input = takes_of(p->budget->spec)};
    if (c->kind->learn != NULL)
        c->kind->learn(p->learned, c->in, p, release);
    return PBY_OK;
}

/* checked NULL: the input is read here. */
static pby_status release_input(pby_checked *checked, pby_rows *rows, const pby_pipeline *p,
                                pby_release *release, pby_error *err)
{
    pby_checked own;
    if (checked != NULL)
        return charge_and_run(checked, rows, p, release, err);
    pby_status status = open_input(&own, p, release, err);
    if (status == PBY_OK)
        status = charge_and_run(&own, rows, p, release, err);
    close_input(&own);
    return status;
}

static pby_status release_rows(pby_checked *checked, pby_rows *rows, const pby_pipeline *p,
                               pby_release *release, pby_error *err)
{
    const pby_input_kind *kind = kind_of(p, release);
    if (kind->answer)
        return release_input(checked, rows, p, release, err);
    PBY_MPQ(unit);
    mpq_set_ui(unit, 1, 1);
    if (kind->shape != NULL)
        kind->shape(rows, unit, p);
    else {
        rows->gaps = pby_release_form_of(release) != PBY_RELEASE_COUNTS;
        pby_release_unit(unit, release);
        if (p->step != NULL)
            mpq_set(unit, p->step);
    }
    rows->unit = mpq_cmp_ui(unit, 1, 1) == 0 ? NULL : unit;
    PBY_TRY(pby_rows_open(rows, err));
    PBY_TRY(release_input(checked, rows, p, release, err));
    return pby_rows_close(rows, err);
}

/* A statistic is of the released histogram, which stays in memory. */
static pby_status release_statistic(pby_checked *checked, pby_spool *spool, const pby_pipeline *p,
                                    pby_release *release, pby_error *err)
{
    pby_store *released;
    PBY_TRY(pby_store_new(&released, err));
    pby_rows rows = {.store = released};
    pby_status status = release_rows(checked, &rows, p, release, err);
    if (status == PBY_OK)
        status = pby_released_statistic(spool, p, release, released, err);
    pby_store_free(released);
    return status;
}

pby_status pby_pipeline_again(pby_spool *spool, const pby_pipeline *p, pby_release *release,
                              pby_checked *checked, pby_error *err)
{
    if (p->statistic != NULL && !kind_of(p, release)->answer)
        return release_statistic(checked, spool, p, release, err);
    pby_rows rows = {
        .spool = spool, .json = pby_pipeline_object(p), .tuples = pby_pipeline_key_columns(p) > 1};
    return release_rows(checked, &rows, p, release, err);
}

pby_status pby_pipeline_store(pby_store *store, const pby_pipeline *p, pby_release *release, pby_error *err)
{
    pby_rows rows = {.store = store};
    pby_store_split(store, pby_pipeline_key_columns(p));
    return release_rows(NULL, &rows, p, release, err);
}

pby_status pby_pipeline_into(pby_spool *spool, const pby_pipeline *p, pby_release *release, pby_error *err)
{
    return pby_pipeline_again(spool, p, release, NULL, err);
}
