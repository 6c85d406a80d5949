/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/plan_ledger.h"
#include "probity/experimental/ledgers.h"

#include <stdlib.h>

#include "probity/ledger.h"

/* A budget of rho or mu holds for every choice of releases: a plan's list is one of them. */
static pby_status create_filter(const char *path, const pby_release_plan *plan, pby_error *err)
{
    char *bound = mpq_get_str(NULL, 10, plan->bound);
    const pby_ledger_terms terms = {.accounting = plan->budget == PBY_ASK_RHO ? "zcdp" : "gdp",
                                    .bound = bound,
                                    .neighbours = pby_neighbours_text(plan->relation),
                                    .user = plan->user};
    const pby_status status = pby_ledger_create_terms(path, &terms, err);
    free(bound);
    return status;
}

pby_status pby_ledger_create_plan(const char *path, const pby_release_plan *plan, pby_error *err)
{
    if (plan->budget != PBY_ASK_DELTA)
        return create_filter(path, plan, err);
    return plan->user != NULL
               ? pby_ledger_create_user(path, plan->relation, PBY_COMPOSE_EXACT, plan->user, plan->epsilon,
                                        plan->delta, err)
               : pby_ledger_create(path, plan->relation, PBY_COMPOSE_EXACT, plan->epsilon, plan->delta, err);
}
