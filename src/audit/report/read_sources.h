/* SPDX-License-Identifier: MIT */
/* The table of a report that names what was read, with digests. */
#ifndef PBY_AUDIT_REPORT_READ_SOURCES_H
#define PBY_AUDIT_REPORT_READ_SOURCES_H

#include <stdio.h>

#include "probity/audit.h"

/* Nothing where nothing was read. */
void pby_report_put_sources(FILE *out, const pby_report *report);

#endif
