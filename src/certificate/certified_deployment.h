/* SPDX-License-Identifier: MIT */
/* The deployment that a certificate is about: its name, the digest of its file, and its unit, model and
 * horizon. Nothing computes these, so a certificate that has them is signed by whoever states them. */
#ifndef PBY_CERTIFICATE_CERTIFIED_DEPLOYMENT_H
#define PBY_CERTIFICATE_CERTIFIED_DEPLOYMENT_H

#include "certificate/certificate.h"

typedef struct pby_deployment pby_deployment;

/* The certificate with the deployment in it, without a signature and to be signed, for free(3). Refused: a
 * deployment with other neighbours, and a user as the unit of the certificate where the deployment protects
 * an event or a record. */
PBY_CHECKED
pby_status pby_certified_deployment_bind(char **out, const char *certificate, const pby_deployment *d,
                                         pby_error *err);

/* Reads the member `deployment` of a certificate, which may be NULL: PBY_NO where it is not of that form, or
 * is at odds with the certificate. */
PBY_CHECKED
pby_status pby_certified_deployment_read(pby_certificate *c, const json_t *member, pby_error *err);

/* PBY_NO where nobody signed what the certificate says of a deployment. */
PBY_CHECKED
pby_status pby_certified_deployment_signed(const pby_certificate *c, pby_error *err);

/* PBY_NO where the certificate is about another deployment than the one in this file, or about none. */
PBY_CHECKED
pby_status pby_certified_deployment_compare(const pby_certificate *c, const pby_deployment *d,
                                            pby_error *err);

#endif
