/* SPDX-License-Identifier: MIT */
/* Lines of a trace become the events of a run. */
#ifndef PBY_AUDIT_TRACE_TRACE_PARSE_H
#define PBY_AUDIT_TRACE_TRACE_PARSE_H

#include <jansson.h>

#include "audit/trace/trace_run.h"

/* A line and where it stands, for refusals. */
typedef struct pby_trace_line {
    const char *file;
    uint64_t number;
    json_t *object;
    pby_error *err;
} pby_trace_line;

/* A refusal that names file, line and member; no value of the trace is in it. */
PBY_CHECKED
pby_status pby_trace_refuse(const pby_trace_line *line, const char *member, const char *expected);

/* The line that begins a run, on an empty one. */
PBY_CHECKED
pby_status pby_trace_parse_run(pby_trace_run *run, const pby_trace_line *line);

/* A line behind it; *ended is set by the output, which is the last. */
PBY_CHECKED
pby_status pby_trace_parse_event(pby_trace_run *run, bool *ended, const pby_trace_line *line);

#endif
