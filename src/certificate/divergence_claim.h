/* SPDX-License-Identifier: MIT */
/* The claim of a certificate of version 2: rho beside an xi, the Renyi divergence of an order, or mu. */
#ifndef PBY_CERTIFICATE_DIVERGENCE_CLAIM_H
#define PBY_CERTIFICATE_DIVERGENCE_CLAIM_H

#include <flint/fmpq.h>
#include <stdbool.h>

#include "certificate/certificate.h"

/* Reads the claim strictly, but not whether its numbers are right. */
pby_status pby_divergence_read(pby_certificate *c, const json_t *claim, pby_error *err);

/* Computes it again to 40 digits; sets the route. */
pby_status pby_divergence_check(pby_certificate *c, pby_error *err);

/* Sets the rho, the divergence of an order or the square of the mu of a spec where that is known to be a
 * rational; false where it is not. The value is the order, or the xi of rho, NULL for 0. */
bool pby_divergence_exact(fmpq_t out, const pby_spec *spec, pby_neighbours relation, pby_question question,
                          mpq_srcptr value);

#endif
