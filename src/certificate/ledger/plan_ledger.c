/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/plan_ledger.h"

#include <stdlib.h>

#include "base/status.h"

/* A budget of rho or mu holds for every choice of releases: a plan's list is one of them. */
static const char *accounting_of(const pby_release_plan *plan)
{
    return plan->budget == PBY_ASK_DELTA ? "exact" : plan->budget == PBY_ASK_RHO ? "zcdp" : "gdp";
}

pby_status pby_ledger_create_plan(const char *path, const pby_release_plan *plan,
                                  const pby_ledger_terms *more, pby_error *err)
{
    const bool exact = plan->budget == PBY_ASK_DELTA;
    char *bound = mpq_get_str(NULL, 10, exact ? plan->epsilon : plan->bound);
    char *delta = exact ? mpq_get_str(NULL, 10, plan->delta) : NULL;
    const pby_ledger_terms terms = {.accounting = accounting_of(plan),
                                    .bound = bound,
                                    .delta = delta,
                                    .neighbours = pby_neighbours_text(plan->relation),
                                    .user = plan->user,
                                    .every = more == NULL ? NULL : more->every,
                                    .from = more == NULL ? NULL : more->from,
                                    .parts = more == NULL ? NULL : more->parts};
    const pby_status status = pby_ledger_create_terms(path, &terms, err);
    free(delta);
    free(bound);
    return status;
}
