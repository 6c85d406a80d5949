/* SPDX-License-Identifier: MIT */
/* A JSON value that is stated, held against the same value recomputed. */
#ifndef PBY_CERTIFICATE_DIFFER_H
#define PBY_CERTIFICATE_DIFFER_H

#include <jansson.h>

#include "base/status.h"

/* PBY_NO, naming the first member that differs, unless the two are equal. `name` is what the value is called.
 */
PBY_CHECKED
pby_status pby_differ(const char *name, const json_t *stated, const json_t *computed, pby_error *err);

/* PBY_NO with the reason, about a member that cannot be recomputed because it is malformed. */
PBY_CHECKED
pby_status pby_differ_deny(pby_error *err, const char *name, const char *expected);

#endif
