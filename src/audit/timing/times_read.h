/* SPDX-License-Identifier: MIT */
/* Running times that were recorded: a line for each run, in the order of the runs, with its side (left or
 * right), a comma and its time in nanoseconds. A first line may be the heading. */
#ifndef PBY_AUDIT_TIMING_TIMES_READ_H
#define PBY_AUDIT_TIMING_TIMES_READ_H

#include "audit/timing/times.h"
#include "table/row/lines.h"

#define PBY_TIMES_HEADING "side,nanoseconds"

/* Adds what the lines have; one that is no run is refused by its number. */
PBY_CHECKED
pby_status pby_times_read(pby_times *times, pby_lines *lines, pby_error *err);

#endif
