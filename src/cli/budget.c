#include "cli/budget.h"

#include "status.h"

pby_status pby_budget_open(pby_budget *budget, const char *path, const pby_spec *spec,
                           const pby_certificate *certificate, pby_error *err)
{
    *budget = (pby_budget){NULL, spec};
    if (path == NULL)
        return PBY_OK;
    const pby_status status = pby_ledger_open(&budget->ledger, path, err);
    if (status != PBY_OK || certificate == NULL)
        return status;
    const pby_neighbours relation = pby_ledger_neighbours(budget->ledger);
    if (pby_certificate_neighbours(certificate) == relation)
        return PBY_OK;
    return pby_fail(err, PBY_BAD, "--ledger: its neighbours are %s: expected %s, which the certificate is about",
                    pby_neighbours_text(relation), pby_neighbours_text(pby_certificate_neighbours(certificate)));
}

pby_status pby_budget_spend(const pby_budget *budget, pby_error *err)
{
    return budget->ledger == NULL ? PBY_OK : pby_ledger_spend(budget->ledger, budget->spec, err);
}

void pby_budget_close(pby_budget *budget)
{
    pby_ledger_close(budget->ledger);
    budget->ledger = NULL;
}
