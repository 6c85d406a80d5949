/* SPDX-License-Identifier: MIT */
#include "release/release_file.h"

#include "base/status.h"
#include "certificate/ledger/spent.h"
#include "io/file.h"
#include "release/receipt.h"

/* Refuses an input, if there is one, that is the output or lies beside the ledger. */
static pby_status keep_apart(const pby_pipeline *p, const char *path, const char *what, const char *ledger,
                             pby_error *err)
{
    if (path == NULL)
        return PBY_OK;
    if (ledger != NULL)
        PBY_TRY(pby_budget_apart(path, ledger, err));
    PBY_TRY(pby_output_apart(p->out, path, what, err));
    return p->json ? pby_output_apart(NULL, path, what, err) : PBY_OK;
}

pby_status pby_release_apart(const pby_pipeline *p, const char *certificate, const char *ledger,
                             pby_error *err)
{
    static const pby_argument tables[] = {PBY_ARG_FILTER, PBY_ARG_GROUP, PBY_ARG_SCATTER, PBY_ARG_QUERIES,
                                          PBY_ARG_KEEP};
    if (ledger != NULL && p->out != NULL)
        PBY_TRY(pby_budget_apart(p->out, ledger, err));
    PBY_TRY(keep_apart(p, p->in == NULL ? "-" : p->in, "the input", ledger, err));
    PBY_TRY(keep_apart(p, certificate, "the certificate", ledger, err));
    PBY_TRY(keep_apart(p, ledger, "the ledger", ledger, err));
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        PBY_TRY(keep_apart(p, pby_pipeline_text(p, tables[i]), "the table", ledger, err));
    return PBY_OK;
}

static pby_status release_object(pby_spool *spool, const pby_pipeline *p, pby_release *release,
                                 pby_error *err)
{
    static const char begin[] = "{\"release\": ";
    pby_status status = pby_spool_write(spool, begin, sizeof begin - 1, err);
    if (status == PBY_OK)
        status = pby_pipeline_into(spool, p, release, err);
    return status == PBY_OK ? pby_receipt_append(spool, p, err) : status;
}

/* The output is opened and the budget asked before the input is read, so that what cannot be is told at once.
 */
static pby_status release_to(const pby_pipeline *p, pby_release *release, pby_error *err)
{
    pby_spool *spool;
    pby_status status = pby_budget_affords(p->budget, err);
    if (status == PBY_OK)
        status = pby_spool_open(&spool, p->out, err);
    if (status != PBY_OK)
        return status;
    status = pby_pipeline_object(p) ? release_object(spool, p, release, err)
                                    : pby_pipeline_into(spool, p, release, err);
    if (status == PBY_OK)
        return pby_spool_commit(spool, err);
    pby_spool_abort(spool);
    return status;
}

pby_status pby_release_file(const pby_pipeline *p, pby_error *err)
{
    pby_release *release;
    pby_status status = pby_pipeline_begin(&release, p, err);
    const uint64_t before = pby_ledger_spends(p->budget->ledger);
    if (status == PBY_OK)
        status = pby_ledger_note(p->budget->ledger, before, release_to(p, release, err), err);
    pby_release_free(release);
    return status;
}
