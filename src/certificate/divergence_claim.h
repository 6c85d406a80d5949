/* SPDX-License-Identifier: MIT */
/* The claim of a certificate of version 2: rho beside an xi, the Renyi divergence of an order, or mu. */
#ifndef PBY_CERTIFICATE_DIVERGENCE_CLAIM_H
#define PBY_CERTIFICATE_DIVERGENCE_CLAIM_H

#include "certificate/certificate.h"

/* Reads the claim strictly, but not whether its numbers are right. */
pby_status pby_divergence_read(pby_certificate *c, const json_t *claim, pby_error *err);

/* Computes it again to 40 digits; sets the route. */
pby_status pby_divergence_check(pby_certificate *c, pby_error *err);

#endif
