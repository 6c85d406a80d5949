/* SPDX-License-Identifier: MIT */
/* A plan with its noise as JSON: the member `plan` of a certificate, and what a plan's digest is of.
 *
 * It has the members of the file, with numbers as texts in lowest terms, defaults written out, groups as
 * their number and digest, and `noise`: the family and the noise of each quantity, in the order of the
 * statistics. */
#ifndef PBY_PLAN_PLAN_JSON_H
#define PBY_PLAN_PLAN_JSON_H

#include <jansson.h>

#include "plan/plan_quantity.h"

/* NULL when there is no memory. */
json_t *pby_plan_json(const pby_release_plan *plan, const pby_plan_quantities *q);

/* Reads it again: the quantities and their moves are derived anew, and nothing but noise is taken from the
 * JSON. PBY_BAD unless it is what pby_plan_json would write. Both are to be freed and cleared when this
 * succeeds. */
PBY_CHECKED
pby_status pby_plan_of_json(pby_release_plan **plan, pby_plan_quantities *q, const json_t *json,
                            pby_error *err);

/* The SHA-256 of its compact text with sorted keys. */
PBY_CHECKED
pby_status pby_plan_digest(pby_digest *out, const json_t *json, pby_error *err);

#endif
