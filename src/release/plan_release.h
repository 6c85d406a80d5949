/* SPDX-License-Identifier: MIT */
/* One release of a plan: rows are bounded and added up, one charge is made, noise is drawn, and a folder
 * appears whole or not at all. */
#ifndef PBY_RELEASE_PLAN_RELEASE_H
#define PBY_RELEASE_PLAN_RELEASE_H

#include "plan/plan_choose.h"

typedef struct pby_plan_release {
    const char *data;        /* the table in CSV; NULL: standard input */
    const char *folder;      /* that is made; it must not exist */
    const char *ledger;      /* that is charged, once, for the list of one release */
    const char *certificate; /* of this plan; NULL: none is asked for */
    const char *after;       /* the digest that the ledger has; NULL: any */
} pby_plan_release;

/* Everything that does not need the data is checked first, then the table is read, then the ledger is
 * charged: until then a failure costs nothing, and behind that it has been spent. PBY_NO where the ledger
 * would overspend, or the certificate does not hold or is of another plan. */
PBY_CHECKED
pby_status pby_plan_run(const pby_release_plan *plan, const pby_plan_choice *choice,
                        const pby_plan_release *release, pby_error *err);

#endif
