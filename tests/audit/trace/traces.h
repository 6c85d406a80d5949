/* SPDX-License-Identifier: MIT */
/* Traces for tests: runs made of lines, and files of them. */
#ifndef PBY_TESTS_AUDIT_TRACE_TRACES_H
#define PBY_TESTS_AUDIT_TRACE_TRACES_H

#include <jansson.h>
#include <stdio.h>

#include "probity/experimental/trace.h"

typedef struct trace_files {
    char path[2][64];
    FILE *file[2];
} trace_files;

void traces_open(trace_files *t);

/* A run on each side: the lines behind the run line, which may be several. The right one replays the left. */
void traces_pair(trace_files *t, unsigned number, const char *left, const char *right);

/* Runs that replay nothing: probes, or those of a count. */
void traces_alone(trace_files *t, unsigned number, const char *left, const char *right, int probe);

/* Closes and judges; the answer is for json_decref. The files are removed. */
json_t *traces_judge(trace_files *t, pby_trace_options options);

/* The end of an end, such as "delta", "lower", "lo". */
const char *traces_end(const json_t *answer, const char *name, const char *side, const char *end);

#endif
