/* SPDX-License-Identifier: MIT */
/* The date of an audit. */
#ifndef PBY_AUDIT_RUN_DATE_H
#define PBY_AUDIT_RUN_DATE_H

#include "base/status.h"

enum { PBY_DATE_SIZE = 40 };

/* The time, as 2026-01-31 12:00 UTC, which SOURCE_DATE_EPOCH may fix so that a report can be made again. */
PBY_CHECKED
pby_status pby_audit_date(char text[PBY_DATE_SIZE], pby_error *err);

#endif
