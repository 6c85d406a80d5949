/* SPDX-License-Identifier: MIT */
/* A claim of a deployment that follows from another. */
#ifndef PBY_DEPLOYMENT_CLAIM_IMPLIED_H
#define PBY_DEPLOYMENT_CLAIM_IMPLIED_H

#include "deployment/amount.h"
#include "deployment/deployment.h"

/* Sets *yes if a guarantee implies a claim; *x is the loss of the worst mechanism that keeps the guarantee.
 * *yes is false where that is not known. */
PBY_CHECKED
pby_status pby_claim_implied(bool *yes, pby_amount *x, const pby_deployment *d,
                             const pby_deployment_claim *premise, mpq_srcptr number,
                             const pby_deployment_claim *claim, pby_error *err);

/* True if the first kind can imply the second at all. */
bool pby_claim_gives(pby_claim_kind premise, pby_claim_kind claim);

/* Half a unit of the last decimal that a number was published with; false of a fraction. */
bool pby_last_decimal(mpq_t half, const char *text, unsigned *decimals);

/* Sets *out to a sentence on the numbers that a premise may stand for, as it was rounded, and that imply the
 * claim; leaves it where there are none. */
PBY_CHECKED
pby_status pby_claim_rounding(char **out, const pby_deployment *d, const pby_deployment_claim *premise,
                              const pby_deployment_claim *claim, pby_error *err);

#endif
