/* SPDX-License-Identifier: MIT */
/* Certificates to be changed. */
#ifndef PBY_TESTS_CERTIFICATE_MAKE_H
#define PBY_TESTS_CERTIFICATE_MAKE_H

#include <jansson.h>

#include "certificate/certificate.h"

/* The certificate that pby_certify writes; for free(3). */
char *pby_make_certificate(const char *spec, pby_neighbours relation, const char *epsilon);

/* A file of tests/vectors; for free(3). */
char *pby_golden(const char *name);

/* The certificate of stlap:eps=1/2,q=40 at 1/2, as JSON; for json_decref. */
json_t *pby_make_json(void);

/* Writes the object canonically with the digest that belongs to it (a liar would do so), verifies it, frees
 * it, and returns the verdict. */
pby_status pby_verdict(json_t *object, pby_error *err);

#endif
