/* SPDX-License-Identifier: MIT */
/* Functions that the benchmarks of draws share: clocks, the median, and the way out when something fails. */
#ifndef PBY_BENCH_DRAW_MEASURE_H
#define PBY_BENCH_DRAW_MEASURE_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "probity.h"

/* Nanoseconds. CLOCK_THREAD_CPUTIME_ID and CLOCK_PROCESS_CPUTIME_ID do not count what else the machine runs.
 */
static inline double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static inline void check(pby_status status, const pby_error *err)
{
    if (status == PBY_OK)
        return;
    fprintf(stderr, "bench: %s\n", err->text);
    exit((int)status);
}

static inline int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts them. */
static inline double median(double *time, size_t n)
{
    qsort(time, n, sizeof *time, ascending);
    return time[n / 2];
}

static inline pby_sampler *make(const char *text, bool safe)
{
    pby_spec *spec;
    pby_sampler *sampler;
    pby_error err;
    check(pby_spec_parse(&spec, &text, 1, &err), &err);
    check(pby_sampler_new(&sampler, spec, &err), &err);
    if (safe)
        check(pby_sampler_timing_safe(sampler, &err), &err);
    pby_spec_free(spec);
    return sampler;
}

#endif
