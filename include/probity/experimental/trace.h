/* SPDX-License-Identifier: MIT */
/* The grey-box audit: judges recorded runs of a pipeline on two neighbouring inputs (docs/greybox.md).
 *
 * A trace holds runs: their draws of noise, the values that noise was added to, and their outputs. The runs
 * of one trace replay those of the other, so that every noisy value is the same. The judge compares what
 * noise was added to, and bounds the loss of the pair from below and from above. It trusts the stated laws.
 */
#ifndef PROBITY_EXPERIMENTAL_TRACE_H
#define PROBITY_EXPERIMENTAL_TRACE_H

#include <stdbool.h>

#include "probity/report.h"
#include "probity/status.h"

PBY_BEGIN_API

/* The claim, and how it is judged; NULL in the place of a number is its default. */
typedef struct pby_trace_options {
    const char *epsilon;  /* the claim, a rational from 0 on */
    const char *delta;    /* a rational from 0 to below 1; NULL: 0 */
    const char *error;    /* the allowed probability of a false accusation by a count; NULL: 1e-6 */
    const char *slack;    /* epsilon may exceed the claim by this part of it; NULL: 2^-30 */
    unsigned long runs;   /* runs that are compared; those behind them are the count; 0: 16 */
    bool assume_fixed;    /* the caller vouches that what is equal in these runs is so for every noise */
    bool allow_seeds;     /* seeds are for tests alone, and no finding */
    pby_report_form form; /* of the text */
} pby_trace_options;

typedef enum pby_trace_verdict {
    PBY_TRACE_CONSISTENT,
    PBY_TRACE_VIOLATION,
    PBY_TRACE_INCONCLUSIVE
} pby_trace_verdict;

/* Judges two traces, files or "-" for standard input, one of which. *text is the answer, for free(3). No
 * verdict of violation rests on equal runs alone: it needs a probe, a count, or the caller's word. */
PBY_CHECKED
pby_status pby_trace_judge(char **text, pby_trace_verdict *verdict, const char *left, const char *right,
                           const pby_trace_options *options, pby_error *err) PBY_NONNULL(1, 2, 3, 4, 5);

/* The answer in JSON as a SARIF 2.1.0 log, for free(3). */
PBY_CHECKED
pby_status pby_trace_sarif(char **text, const char *answer, pby_error *err) PBY_NONNULL(1, 2);

PBY_END_API

#endif
