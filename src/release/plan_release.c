/* SPDX-License-Identifier: MIT */
#include "release/plan_release.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "certificate/certified_plan.h"
#include "certificate/ledger/spent.h"
#include "certificate/unit.h"
#include "io/file.h"
#include "mechanism/family.h"
#include "plan/plan_json.h"
#include "probity/experimental/ledgers.h"
#include "release/budget.h"
#include "release/plan_draw.h"
#include "release/plan_folder.h"
#include "release/plan_rows.h"
#include "table/arrow/arrow_stream.h"

/* ---- before the data ----------------------------------------------------------------------------- */

static pby_status check_folder(const char *folder, const char *argument, pby_error *err)
{
    struct stat found;
    char *copy = strdup(folder);
    if (copy == NULL)
        return pby_no_memory(err);
    const bool writable = access(dirname(copy), W_OK | X_OK) == 0;
    free(copy);
    if (!writable)
        return pby_refuse(err, argument, folder, "a folder that can be made");
    return lstat(folder, &found) != 0 ? PBY_OK
                                      : pby_refuse(err, argument, folder, "a folder that does not exist yet");
}

/* The certificate is of this plan, with this noise. */
static pby_status check_certificate(const char *path, const char *argument, const pby_release_plan *plan,
                                    const pby_plan_choice *choice, pby_error *err)
{
    char *text;
    size_t size;
    pby_certificate *c = NULL;
    pby_digest digest;
    if (path == NULL)
        return PBY_OK;
    json_t *json = pby_plan_json(plan, &choice->quantities);
    if (json == NULL)
        return pby_no_memory(err);
    pby_status status = pby_plan_digest(&digest, json, err);
    json_decref(json);
    if (status == PBY_OK)
        status = pby_file_read(&text, &size, path, PBY_CERTIFICATE_SIZE_MAX, err);
    if (status != PBY_OK)
        return status;
    status = pby_verify(&c, text, size, err);
    free(text);
    if (status == PBY_OK && strcmp(pby_certificate_plan(c), digest.sha256) != 0)
        status = pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE,
                             "%s '%.200s': its plan is '%.16s', and %.200s is '%.16s'", argument, path,
                             pby_certificate_plan(c), plan->name, digest.sha256);
    pby_certificate_free(c);
    return status;
}

/* The ledger is about the plan's neighbours and unit, and can afford one release. */
static pby_status check_budget(const pby_budget *budget, const pby_release_plan *plan,
                               const pby_plan_release *r, const char *argument, pby_error *err)
{
    const pby_neighbours relation = pby_ledger_neighbours(budget->ledger);
    if (relation != plan->relation)
        return pby_fail(err, PBY_BAD, "%s: its neighbours are %s: expected %s, which the plan is about",
                        argument, pby_neighbours_text(relation), pby_neighbours_text(plan->relation));
    PBY_TRY(pby_budget_unit(budget, plan->user, argument, err));
    if (pby_budget_rows(budget) != 1)
        return pby_fail(err, PBY_BAD,
                        "%s: a record of it may be in several rows: expected one for a plan, which "
                        "bounds rows itself",
                        argument);
    if (r->after != NULL)
        PBY_TRY(pby_ledger_after(budget->ledger, r->after, err));
    if (r->part != NULL)
        PBY_TRY(pby_ledger_for_part(budget->ledger, r->part, err));
    return pby_budget_affords(budget, err);
}

/* ---- one release --------------------------------------------------------------------------------- */

/* Takes over the stream where the rows come as one. */
static pby_status read_rows(pby_plan_cells *cells, const pby_release_plan *plan,
                            const pby_plan_choice *choice, const pby_plan_release *r, pby_error *err)
{
    pby_csv_input *in = NULL;
    pby_arrow *arrow = NULL;
    pby_status status = r->rows != NULL ? pby_arrow_open(&arrow, r->rows, "the data", err)
                                        : pby_csv_input_open(&in, pby_path_named(r->data), err);
    if (status == PBY_OK)
        status = arrow != NULL ? pby_plan_rows_arrow(cells, plan, &choice->quantities, arrow, NULL, err)
                               : pby_plan_rows(cells, plan, &choice->quantities, in, NULL, err);
    pby_csv_input_free(in);
    pby_arrow_free(arrow);
    return status;
}

static pby_status release_rows(pby_budget *budget, const pby_release_plan *plan,
                               const pby_plan_choice *choice, const pby_plan_release *r, pby_error *err)
{
    pby_plan_cells cells = {.count = 0};
    pby_status status = read_rows(&cells, plan, choice, r, err);
    if (status == PBY_OK)
        status = pby_budget_spend(budget, err);
    if (status == PBY_OK)
        status = pby_plan_draw(&cells, plan, &choice->quantities, err);
    if (status == PBY_OK)
        status = pby_plan_publish(r->folder, plan, choice, &cells, budget->ledger, err);
    pby_plan_cells_clear(&cells);
    return status;
}

static pby_status run_plan(const pby_release_plan *plan, const pby_plan_choice *choice,
                           const pby_plan_release *r, const pby_plan_arguments *names, pby_error *err)
{
    pby_budget budget;
    PBY_TRY(check_folder(r->folder, names->folder, err));
    if (r->ledger != NULL)
        PBY_TRY(pby_budget_apart(r->folder, r->ledger, err));
    PBY_TRY(check_certificate(r->certificate, names->certificate, plan, choice, err));
    pby_status status = pby_budget_open(&budget, r->ledger, choice->once, NULL, names->ledger, err);
    if (status == PBY_OK)
        status = check_budget(&budget, plan, r, names->ledger, err);
    if (status == PBY_OK)
        status = pby_ledger_note(budget.ledger, 0, release_rows(&budget, plan, choice, r, err), err);
    pby_budget_close(&budget);
    return status;
}

pby_status pby_plan_run(const pby_release_plan *plan, const pby_plan_choice *choice,
                        const pby_plan_release *r, const pby_plan_arguments *names, pby_error *err)
{
    const pby_status status = run_plan(plan, choice, r, names, err);
    if (r->rows != NULL && r->rows->release != NULL) /* refused before it was taken over */
        r->rows->release(r->rows);
    return status;
}
