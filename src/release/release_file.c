/* SPDX-License-Identifier: MIT */
#include "release/release_file.h"

#include "certificate/ledger/spent.h"
#include "io/file.h"
#include "release/receipt.h"

pby_status pby_release_apart(const pby_pipeline *p, const char *certificate, const char *ledger,
                             pby_error *err)
{
    const struct {
        const char *path, *what;
    } inputs[] = {{p->in == NULL ? "-" : p->in, "the input"},
                  {certificate, "the certificate"},
                  {ledger, "the ledger"},
                  {p->filter, "the table"},
                  {p->group, "the table"},
                  {p->scatter == NULL ? NULL : p->scatter->path, "the table"},
                  {p->queries, "the table"},
                  {p->keep, "the table"}};
    pby_status status = ledger != NULL && p->out != NULL ? pby_budget_apart(p->out, ledger, err) : PBY_OK;
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs && status == PBY_OK; i++) {
        if (inputs[i].path == NULL)
            continue;
        if (ledger != NULL)
            status = pby_budget_apart(inputs[i].path, ledger, err);
        if (status == PBY_OK)
            status = pby_output_apart(p->out, inputs[i].path, inputs[i].what, err);
        if (status == PBY_OK && p->json)
            status = pby_output_apart(NULL, inputs[i].path, inputs[i].what, err);
    }
    return status;
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
