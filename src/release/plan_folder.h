/* SPDX-License-Identifier: MIT */
/* The folder of a plan's release: NAME.csv of each statistic, and release.json, which holds nothing of the
 * data. It is written beside its name, brought to the disk and renamed, so that it is whole or absent. */
#ifndef PBY_RELEASE_PLAN_FOLDER_H
#define PBY_RELEASE_PLAN_FOLDER_H

#include "plan/plan_choose.h"
#include "probity/ledger.h"
#include "release/plan_rows.h"

/* The cells have their noise. */
PBY_CHECKED
pby_status pby_plan_publish(const char *folder, const pby_release_plan *plan, const pby_plan_choice *choice,
                            const pby_plan_cells *cells, pby_ledger *ledger, pby_error *err);

#endif
