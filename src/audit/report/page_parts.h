/* SPDX-License-Identifier: MIT */
/* Parts that the pages of all audits have. */
#ifndef PBY_AUDIT_REPORT_PAGE_PARTS_H
#define PBY_AUDIT_REPORT_PAGE_PARTS_H

#include <stdio.h>

#include "probity/audit.h"

/* The name of the mechanism, and the date. */
void pby_report_put_subject(FILE *out, const pby_report *report);

/* The table of what was read, with digests; nothing where nothing was read. */
void pby_report_put_sources(FILE *out, const pby_report *report);

#endif
