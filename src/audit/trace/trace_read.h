/* SPDX-License-Identifier: MIT */
/* Reads a trace run by run, and refuses what is malformed by its file and line. */
#ifndef PBY_AUDIT_TRACE_TRACE_READ_H
#define PBY_AUDIT_TRACE_TRACE_READ_H

#include "audit/trace/trace_run.h"

enum { PBY_TRACE_LINE_MAX = 1 << 20, PBY_TRACE_EVENTS_MAX = 10000000 };

typedef struct pby_trace_reader pby_trace_reader;

/* A path, "-" for standard input. */
PBY_CHECKED
pby_status pby_trace_open_file(pby_trace_reader **out, const char *path, pby_error *err);

/* Bytes, which must outlive the reader. */
PBY_CHECKED
pby_status pby_trace_open_memory(pby_trace_reader **out, const char *name, const void *bytes, size_t size,
                                 pby_error *err);

/* NULL is allowed. */
void pby_trace_reader_free(pby_trace_reader *reader);

/* The next run, for pby_trace_run_clear; *got is false at the end of the trace. */
PBY_CHECKED
pby_status pby_trace_next(pby_trace_run *run, bool *got, pby_trace_reader *reader, pby_error *err);

/* The SHA-256 of all that was read. */
void pby_trace_digest(pby_digest *out, const pby_trace_reader *reader);

const char *pby_trace_name(const pby_trace_reader *reader);

#endif
