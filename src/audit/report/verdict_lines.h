/* SPDX-License-Identifier: MIT */
/* A verdict for people. */
#ifndef PBY_AUDIT_REPORT_VERDICT_LINES_H
#define PBY_AUDIT_REPORT_VERDICT_LINES_H

#include <jansson.h>

#include "base/status.h"

/* The lines of a verdict, as pby_verdict_object has it, with the number of looks where it has one; for
 * free(3). */
PBY_CHECKED
pby_status pby_verdict_object_lines(char **text, const json_t *verdict, pby_error *err);

/* The lines of a verdict on outputs that were judged by a law; for free(3). */
PBY_CHECKED
pby_status pby_law_object_lines(char **text, json_t *answer, pby_error *err);

#endif
