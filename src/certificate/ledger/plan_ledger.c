/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/plan_ledger.h"
#include "probity/experimental/ledgers.h"

#include "probity/ledger.h"

pby_status pby_ledger_create_plan(const char *path, const pby_release_plan *plan, const char *argument,
                                  pby_error *err)
{
    const pby_filter_budget budget = {PBY_FILTER_RHO, plan->rho, NULL, NULL, NULL};
    if (plan->concentrated && plan->user != NULL)
        return pby_fail(err, PBY_BAD, "%s '%.200s': expected epsilon and delta: a ledger of users has no rho",
                        argument, plan->name);
    if (plan->concentrated)
        return pby_ledger_create_filter(path, plan->relation, 1, &budget, err);
    return plan->user != NULL
               ? pby_ledger_create_user(path, plan->relation, PBY_COMPOSE_EXACT, plan->user, plan->epsilon,
                                        plan->delta, err)
               : pby_ledger_create(path, plan->relation, PBY_COMPOSE_EXACT, plan->epsilon, plan->delta, err);
}
