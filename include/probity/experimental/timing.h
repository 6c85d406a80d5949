/* SPDX-License-Identifier: MIT */
/* The audit of running times: does the time of a run betray on which of two neighbouring inputs it was?
 *
 * Each run is on the left or the right input as a fair coin says, and its time is added with its side, in the
 * order of the runs. A mechanism whose time keeps the claim is accused with a chance of at most the error,
 * however many runs are judged, however often, and however the machine's speed drifts
 * (docs/theory/times.md). */
#ifndef PROBITY_EXPERIMENTAL_TIMING_H
#define PROBITY_EXPERIMENTAL_TIMING_H

#include <stdint.h>

#include "probity/audit.h"
#include "probity/report.h"
#include "probity/status.h"

PBY_BEGIN_API

typedef struct pby_times pby_times;

/* A constructor that fails sets *out to NULL. */
PBY_CHECKED
pby_status pby_times_new(pby_times **out, pby_error *err) PBY_NONNULL(1);
void pby_times_free(pby_times *times);

/* Adds the time of the next run, in a unit of the caller's that never changes: nanoseconds in answers. */
PBY_CHECKED
pby_status pby_times_add(pby_times *times, pby_side side, uint64_t time, pby_error *err) PBY_NONNULL(1);

typedef enum pby_times_verdict {
    PBY_TIMES_CONSISTENT,
    PBY_TIMES_VIOLATION,
    PBY_TIMES_INCONCLUSIVE /* no times of so many runs could have shown a violation */
} pby_times_verdict;

/* Judges the claim that the time alone keeps (epsilon, delta), numbers as text; delta NULL is 0, error NULL
 * is 1e-6. *text is the answer, for free(3). Sides that no fair coin has chosen are refused. */
PBY_CHECKED
pby_status pby_times_judge(char **text, pby_times_verdict *verdict, const pby_times *times,
                           const char *epsilon, const char *delta, const char *error, pby_report_form form,
                           pby_error *err) PBY_NONNULL(1, 2, 3, 4);

PBY_END_API

#endif
