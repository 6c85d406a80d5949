/* SPDX-License-Identifier: MIT */
/* Refusals of what is asked for beside a mechanism, before any input is read.
 *
 * None looks at the data, so which of two comes first tells nothing of them. */
#ifndef PBY_RELEASE_CHECK_REQUEST_H
#define PBY_RELEASE_CHECK_REQUEST_H

#include "release/input_kind.h"

/* Checks the whole request, of any kind but those of parts, and prepares the release for it. */
PBY_CHECKED
pby_status pby_check_request(const pby_pipeline *p, const pby_input_kind *kind, pby_release *release,
                             pby_error *err);

/* Checks what kinds of parts have in common: records with a number, and nothing that is made of counts. */
PBY_CHECKED
pby_status pby_check_numbers(const pby_pipeline *p, pby_error *err);

/* A table of chances is for a spec that names it, and no other. */
PBY_CHECKED
pby_status pby_check_scatter(const pby_pipeline *p, pby_error *err);

#endif
