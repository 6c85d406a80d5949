/* SPDX-License-Identifier: MIT */
#include "base/status.h"
#include "certificate/ledger/spent.h"
#include "probity/release.h"
#include "release/permission.h"
#include "release/run.h"
#include "table/table.h"

/* Who is told, and what was told last. */
struct told {
    const pby_release_options *options;
    unsigned percent;
};

static void tell_progress(void *data, uint64_t done, uint64_t total)
{
    struct told *told = data;
    const unsigned percent = total == 0 || done >= total ? 100
                                                         : (unsigned)((double)done / (double)total * 100);
    if (percent != told->percent)
        told->options->progress(told->options->what, percent);
    told->percent = percent;
}

static pby_status check_options(const pby_release_options *o, pby_error *err)
{
    if (o->moment < PBY_MOMENT_NONE || o->moment > PBY_MOMENT_QUANTILE)
        return pby_fail(err, PBY_BAD, "moment: expected a pby_moment");
    return o->truncate >= 0 ? PBY_OK
                            : pby_fail(err, PBY_BAD, "truncate: expected 0, or an integer from 1 on");
}

/* The budget is asked before the table is read: which of two refusals comes first tells nothing of it. */
static pby_status release_into(pby_store *store, const pby_pipeline *p, pby_error *err)
{
    pby_release *release;
    pby_status status = pby_pipeline_begin(&release, p, err);
    if (status == PBY_OK)
        status = pby_budget_affords(p->budget, err);
    const uint64_t before = pby_ledger_spends(p->budget->ledger);
    if (status == PBY_OK)
        status = pby_ledger_note(p->budget->ledger, before, pby_pipeline_store(store, p, release, err), err);
    pby_release_free(release);
    return status;
}

pby_status pby_release_table(pby_table **out, pby_permission *permission, pby_table *table,
                             const pby_release_options *options, pby_error *err)
{
    static const pby_release_options none;
    const pby_release_options *o = options == NULL ? &none : options;
    struct told told = {o, 101};
    pby_project along;
    pby_scatter *scatter = NULL;
    pby_pipeline pipeline = {
        .budget = &permission->budget,
        .names = &pby_arguments_library,
        .table = table,
        .timing_safe = o->timing_safe,
        .queries = o->queries,
        .user = o->user,
        .moment = o->moment,
        .quantiles = o->quantiles,
        .along = o->along == NULL ? NULL : &along,
        .limit = o->truncate == 0 ? INT64_MAX : o->truncate,
        .observer = {o->progress == NULL ? NULL : tell_progress, &told},
    };
    pby_store *store = NULL;
    *out = NULL;
    pby_status status = check_options(o, err);
    if (status == PBY_OK && o->along != NULL)
        status = pby_project_parse(&along, "along", o->along, err);
    if (status == PBY_OK && o->scatter != NULL)
        status = pby_scatter_read(&scatter, o->scatter,
                                  pby_argument_name(&pby_arguments_library, PBY_ARG_SCATTER),
                                  table->path == NULL ? "" : table->path, err);
    pipeline.scatter = scatter;
    if (status == PBY_OK)
        status = pby_store_new(&store, err);
    if (status == PBY_OK)
        status = release_into(store, &pipeline, err);
    pby_scatter_free(scatter);
    if (status == PBY_OK)
        return pby_table_released(out, store, err);
    pby_store_free(store);
    return status;
}
