/* SPDX-License-Identifier: MIT */
/* The certificate of a release plan: its spec is the list of all releases, and the plan that the list is
 * derived from stands in it. Whoever checks the certificate derives the list again, and so checks the
 * sensitivities. */
#ifndef PBY_CERTIFICATE_CERTIFIED_PLAN_H
#define PBY_CERTIFICATE_CERTIFIED_PLAN_H

#include "certificate/certificate.h"
#include "plan/plan_choose.h"

/* For free(3). Of a budget of rho or mu the certificate is of version 2. */
PBY_CHECKED
pby_status pby_certify_plan(char **text, const pby_release_plan *plan, const pby_plan_choice *choice,
                            pby_error *err);

/* Reads the member `plan`, which may be NULL, and holds it against what the certificate says: PBY_NO where
 * the list, the neighbours, the unit or epsilon is another, or delta may exceed the plan's. */
PBY_CHECKED
pby_status pby_certificate_read_plan(pby_certificate *c, const json_t *plan, pby_error *err);

/* The digest of the plan in a certificate, 64 hexadecimal digits; "" where there is none. */
const char *pby_certificate_plan(const pby_certificate *c);

#endif
