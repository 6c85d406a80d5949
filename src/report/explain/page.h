/* SPDX-License-Identifier: MIT */
/* An explanation as one HTML page that needs nothing from outside and can be printed. */
#ifndef PBY_REPORT_EXPLAIN_PAGE_H
#define PBY_REPORT_EXPLAIN_PAGE_H

#include <stdio.h>

#include "report/explain/explanation.h"

/* [lo, hi], or the one number that both are. */
void pby_page_enclosure(FILE *out, const pby_enclosure *e, unsigned digits);

/* The page, for free(3). */
PBY_CHECKED
pby_status pby_explanation_page(char **page, const pby_explanation *x, pby_error *err);

#endif
