/* SPDX-License-Identifier: MIT */
#include "release/budget.h"
#include "probity/experimental/ledgers.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "certificate/ledger/ledger.h"
#include "certificate/unit.h"
#include "io/file.h"
#include "number/scoped.h"
#include "probity/rational.h"

/* True if the last part of the name is that of the ledger with an ending of SQLite's. */
static bool ends_as(const char *path, const char *ledger)
{
    static const char *const endings[] = {"-journal", "-wal", "-shm"};
    const char *slash = strrchr(path, '/'), *of = strrchr(ledger, '/') + 1;
    const char *name = slash == NULL ? path : slash + 1;
    const size_t length = strlen(of);
    bool ends = false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        ends = ends || (strncmp(name, of, length) == 0 && strcmp(name + length, endings[i]) == 0);
    return ends;
}

pby_status pby_budget_apart(const char *path, const char *ledger, pby_error *err)
{
    char *real = pby_path_named(path) == NULL ? NULL : realpath(ledger, NULL), *copy = NULL;
    pby_status status = PBY_OK;
    if (real != NULL && ends_as(path, real)) {
        copy = strdup(path);
        status = copy == NULL ? pby_no_memory(err) : PBY_OK;
    }
    if (copy != NULL && pby_file_same(dirname(copy), dirname(real)))
        status =
            pby_refuse(err, "file", path, "another name: what is so called beside a ledger belongs to it");
    free(copy);
    free(real);
    return status;
}

pby_status pby_budget_open(pby_budget *budget, const char *path, const pby_spec *spec,
                           const pby_certificate *certificate, const char *argument, pby_error *err)
{
    *budget = (pby_budget){.spec = spec, .certificate = certificate};
    if (path == NULL)
        return PBY_OK;
    const pby_status status = pby_ledger_open_to_charge(&budget->ledger, path, err);
    if (status != PBY_OK || certificate == NULL)
        return status;
    const pby_neighbours relation = pby_ledger_neighbours(budget->ledger);
    if (pby_certificate_neighbours(certificate) == relation)
        return PBY_OK;
    return pby_fail(err, PBY_BAD, "%s: its neighbours are %s: expected %s, which the certificate is about",
                    argument, pby_neighbours_text(relation),
                    pby_neighbours_text(pby_certificate_neighbours(certificate)));
}

pby_status pby_budget_neighbours(pby_neighbours *out, const pby_budget *budget, pby_error *err)
{
    if (budget->ledger == NULL && budget->certificate == NULL)
        return pby_spec_neighbours(out, budget->spec, err);
    *out = budget->ledger != NULL ? pby_ledger_neighbours(budget->ledger)
                                  : pby_certificate_neighbours(budget->certificate);
    return PBY_OK;
}

pby_status pby_budget_unit(const pby_budget *budget, const char *user, const char *argument, pby_error *err)
{
    if (budget->certificate != NULL && !pby_unit_same(pby_certificate_user(budget->certificate), user))
        return pby_unit_refuse(err, "certificate", pby_certificate_user(budget->certificate), user);
    if (budget->ledger == NULL)
        return PBY_OK;
    return pby_ledger_for_user(budget->ledger, user, NULL) == PBY_OK
               ? PBY_OK
               : pby_unit_refuse(err, argument, pby_ledger_user(budget->ledger), user);
}

unsigned long pby_budget_rows(const pby_budget *budget)
{
    return budget->ledger == NULL ? 1 : pby_ledger_rows(budget->ledger);
}

/* pby_ledger_affords or pby_ledger_spend, at the certificate's epsilon where there is one. */
typedef pby_status answer(pby_ledger *ledger, const pby_spec *spec, mpq_srcptr epsilon, pby_error *err);

static pby_status ask_ledger(const pby_budget *budget, answer *ledger_answer, pby_error *err)
{
    if (budget->ledger == NULL)
        return PBY_OK;
    if (budget->certificate == NULL)
        return ledger_answer(budget->ledger, budget->spec, NULL, err);
    PBY_MPQ(epsilon);
    PBY_TRY(pby_rational_parse(epsilon, "epsilon", pby_certificate_epsilon(budget->certificate), err));
    return ledger_answer(budget->ledger, budget->spec, epsilon, err);
}

pby_status pby_budget_affords(const pby_budget *budget, pby_error *err)
{
    return ask_ledger(budget, pby_ledger_affords, err);
}

pby_status pby_budget_spend(const pby_budget *budget, pby_error *err)
{
    return ask_ledger(budget, pby_ledger_spend, err);
}

void pby_budget_close(pby_budget *budget)
{
    pby_ledger_close(budget->ledger);
    budget->ledger = NULL;
}
