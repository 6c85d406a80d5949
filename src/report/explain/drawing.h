/* SPDX-License-Identifier: MIT */
/* The drawings of an explanation, each with its caption, or a sentence where there is nothing to draw. PBY_OK
 * unless memory is short or a loss that is asked for fails. */
#ifndef PBY_REPORT_EXPLAIN_DRAWING_H
#define PBY_REPORT_EXPLAIN_DRAWING_H

#include <stdio.h>

#include "report/explain/explanation.h"

PBY_CHECKED
pby_status pby_explain_law(FILE *out, const pby_explanation *x, pby_error *err);
PBY_CHECKED
pby_status pby_explain_pair(FILE *out, const pby_explanation *x, pby_error *err);
PBY_CHECKED
pby_status pby_explain_profile(FILE *out, const pby_explanation *x, pby_error *err);

#endif
