/* SPDX-License-Identifier: MIT */
/* The ledger of a release plan. */
#ifndef PBY_CERTIFICATE_LEDGER_PLAN_LEDGER_H
#define PBY_CERTIFICATE_LEDGER_PLAN_LEDGER_H

#include "plan/plan.h"
#include "probity/experimental/ledgers.h"

/* Creates a ledger of a plan's budget, neighbours and unit; rho is accounted as zcdp. Of `more`, which may be
 * NULL, it has the periods and the parts. */
PBY_CHECKED
pby_status pby_ledger_create_plan(const char *path, const pby_release_plan *plan,
                                  const pby_ledger_terms *more, pby_error *err);

#endif
