/* SPDX-License-Identifier: MIT */
/* The files that a statement is about. */
#ifndef PBY_CERTIFICATE_SUBJECTS_H
#define PBY_CERTIFICATE_SUBJECTS_H

#include <jansson.h>

#include "base/status.h"

/* Sets *found, for json_decref also on failure, to the subjects: an object {name, sha256, here} for each.
 * Each that lies in the folder of path (NULL: the current one) must have the SHA-256 that is stated:
 * PBY_NO if it has another. */
PBY_CHECKED
pby_status pby_subjects_compare(json_t **found, const json_t *statement, const char *path, pby_error *err);

#endif
