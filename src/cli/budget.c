#include "cli/budget.h"

#include "probity/rational.h"
#include "status.h"

pby_status pby_budget_open(pby_budget *budget, const char *path, const pby_spec *spec,
                           const pby_certificate *certificate, pby_error *err)
{
    *budget = (pby_budget){.spec = spec, .certificate = certificate};
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

pby_neighbours pby_budget_neighbours(const pby_budget *budget)
{
    if (budget->ledger != NULL)
        return pby_ledger_neighbours(budget->ledger);
    return budget->certificate != NULL ? pby_certificate_neighbours(budget->certificate) : PBY_ADD_REMOVE;
}

pby_status pby_budget_spend(const pby_budget *budget, pby_error *err)
{
    if (budget->ledger == NULL)
        return PBY_OK;
    if (budget->certificate == NULL)
        return pby_ledger_spend(budget->ledger, budget->spec, NULL, err);
    mpq_t epsilon;
    mpq_init(epsilon);
    pby_status status = pby_rational_parse(epsilon, "epsilon", pby_certificate_epsilon(budget->certificate), err);
    if (status == PBY_OK)
        status = pby_ledger_spend(budget->ledger, budget->spec, epsilon, err);
    mpq_clear(epsilon);
    return status;
}

void pby_budget_close(pby_budget *budget)
{
    pby_ledger_close(budget->ledger);
    budget->ledger = NULL;
}
