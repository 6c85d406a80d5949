/* SPDX-License-Identifier: MIT */
/* A verdict on running times on a page of its own. */
#ifndef PBY_AUDIT_TIMING_TIMES_PAGE_H
#define PBY_AUDIT_TIMING_TIMES_PAGE_H

#include <jansson.h>

#include "probity/audit.h"
#include "probity/experimental/timing.h"

/* A verdict as pby_times_judge answers it in JSON, and the times that it is about. */
typedef struct pby_times_told {
    const json_t *verdict;
    const pby_times *times;
} pby_times_told;

/* The report, for free(3). */
PBY_CHECKED
pby_status pby_times_page(char **text, const pby_times_told *told, const pby_report *report, pby_error *err);

#endif
