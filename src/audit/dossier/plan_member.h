/* SPDX-License-Identifier: MIT */
/* Members of the JSON of a plan, read one by one. `within` is the object that a member stands in, such as
 * audits[2].claim, for refusals; "" is the plan. */
#ifndef PBY_AUDIT_DOSSIER_PLAN_MEMBER_H
#define PBY_AUDIT_DOSSIER_PLAN_MEMBER_H

#include <gmp.h>
#include <jansson.h>
#include <stdbool.h>

#include "base/status.h"

enum { PBY_MEMBER_PLACE = 96 };

/* Where a member stands, for refusals: audits[2].claim.epsilon. */
void pby_member_place(char text[PBY_MEMBER_PLACE], const char *within, const char *name);

/* Refuses a member, without its value and with it. */
PBY_CHECKED
pby_status pby_member_expected(pby_error *err, const char *within, const char *name, const char *what);
PBY_CHECKED
pby_status pby_member_refuse(pby_error *err, const char *within, const char *name, const char *value,
                             const char *what);

/* Refuses members that are not known; the list ends with NULL. */
PBY_CHECKED
pby_status pby_member_only(const json_t *object, const char *within, const char *const *known,
                           pby_error *err);

/* A member that is a text, not empty; NULL where it is not there and need not be. */
PBY_CHECKED
pby_status pby_member_text(const char **out, const json_t *object, const char *within, const char *name,
                           bool needed, pby_error *err);

/* A rational; without a fallback it must be there. */
PBY_CHECKED
pby_status pby_member_rational(mpq_t out, const json_t *object, const char *within, const char *name,
                               const char *fallback, pby_error *err);

/* An integer from `least` to `most`; 0 where it is not there and need not be. */
PBY_CHECKED
pby_status pby_member_integer(json_int_t *out, const json_t *object, const char *within, const char *name,
                              json_int_t least, json_int_t most, bool needed, pby_error *err);

/* Two texts in a list. */
PBY_CHECKED
pby_status pby_member_pair(const char *out[2], const json_t *object, const char *within, const char *name,
                           const char *what, pby_error *err);

#endif
