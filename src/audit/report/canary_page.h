/* SPDX-License-Identifier: MIT */
/* A verdict by canaries on a page: parts of it, read from its JSON, and a page of its own. */
#ifndef PBY_AUDIT_REPORT_CANARY_PAGE_H
#define PBY_AUDIT_REPORT_CANARY_PAGE_H

#include <jansson.h>
#include <stdio.h>

#include "probity/audit.h"

/* The number of canaries, or of runs. */
void pby_canary_page_counts(FILE *out, const json_t *verdict);

/* The lower bounds, one a line. */
void pby_canary_page_bounds(FILE *out, const json_t *verdict);

/* The assumption that a verdict rests on, as part of a sentence. */
const char *pby_canary_assumes(const json_t *verdict);

/* The report, for free(3). It has no certified curve. */
PBY_CHECKED
pby_status pby_canary_page(char **text, const json_t *verdict, const pby_report *report, pby_error *err);

#endif
