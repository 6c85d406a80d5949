/* SPDX-License-Identifier: MIT */
/* Outputs against a law (public face: probity/audit.h). */
#ifndef PBY_AUDIT_CONFORM_H
#define PBY_AUDIT_CONFORM_H

#include <jansson.h>

#include "probity/audit.h"
#include "probity/experimental/auditing.h"

/* As pby_conformance_judge, the answer as an object for json_decref. */
PBY_CHECKED
pby_status pby_conformance_object(bool *violation, json_t **out, pby_conformance *test, mpq_srcptr error,
                                  pby_error *err);

#endif
