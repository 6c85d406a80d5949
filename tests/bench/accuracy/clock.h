/* SPDX-License-Identifier: MIT */
/* Functions that the benchmarks of accuracy share: processor time, and the peer. */
#ifndef PBY_BENCH_ACCURACY_CLOCK_H
#define PBY_BENCH_ACCURACY_CLOCK_H

#include <stdlib.h>
#include <time.h>

#include "probity/status.h"
#include "tests/kernel/stream.h"

static inline double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline void demand(pby_status status)
{
    if (status != PBY_OK)
        exit(1);
}

static inline int order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the seconds that qsort takes for n random doubles. */
static inline double sort_seconds(uint64_t *state, size_t n)
{
    double *x = malloc(n * sizeof *x);
    if (x == NULL)
        exit(1);
    for (size_t i = 0; i < n; i++)
        x[i] = (double)stream_next(state);
    const double begin = now();
    qsort(x, n, sizeof *x, order);
    const double seconds = now() - begin;
    free(x);
    return seconds;
}

#endif
