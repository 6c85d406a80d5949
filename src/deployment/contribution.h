/* SPDX-License-Identifier: MIT */
/* The most that one unit moves the counts of a use, held against what its spec assumes. */
#ifndef PBY_DEPLOYMENT_CONTRIBUTION_H
#define PBY_DEPLOYMENT_CONTRIBUTION_H

#include "deployment/deployment.h"
#include "mechanism/family.h"

/* False, with the reason, if a spec assumes less than the bounds allow. Substitute neighbours move twice as
 * much: a changed unit leaves and enters. */
bool pby_contribution_fits(char why[PBY_ERROR_SIZE], const pby_deployed *m, bool substitute);

/* True if some unit within the bounds moves the counts by all that the use assumes; of a claim of pure
 * privacy the sum over groups counts. */
bool pby_contribution_reaches(const pby_deployed *m, const pby_mechanism *use, bool pure);

#endif
