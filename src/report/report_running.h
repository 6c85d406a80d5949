/* SPDX-License-Identifier: MIT */
/* The report of a session of running totals. */
#ifndef PBY_REPORT_REPORT_RUNNING_H
#define PBY_REPORT_REPORT_RUNNING_H

#include "probity/experimental/reports.h"
#include "session/running.h"

/* Tells a session, how far it has come, and its totals; for free(3). */
PBY_CHECKED
pby_status pby_report_running(char **text, const pby_running *totals, pby_report_form form, pby_error *err);

#endif
