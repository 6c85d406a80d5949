/* SPDX-License-Identifier: MIT */
/* An explanation as one HTML page that needs nothing from outside and can be printed. */
#ifndef PBY_REPORT_PAGE_H
#define PBY_REPORT_PAGE_H

#include "report/explanation.h"

/* The page, for free(3). */
PBY_CHECKED
pby_status pby_explanation_page(char **page, const pby_explanation *x, pby_error *err);

#endif
