/* SPDX-License-Identifier: MIT */
/* Running times, and how often each event of a time came with each side.
 *
 * An event is a time above or below a threshold. The thresholds of a run are quantiles of the times just
 * before it, so that they follow a machine whose speed drifts, and are known before the run's side and time
 * are: the bets of times_capital.h need that. */
#ifndef PBY_AUDIT_TIMING_TIMES_H
#define PBY_AUDIT_TIMING_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "probity/experimental/timing.h"

enum {
    PBY_TIMES_WINDOW = 512, /* times whose quantiles are the thresholds; */
    PBY_TIMES_WARMING = 32, /* before there are so many, no run judges */
    PBY_TIMES_LEVELS = 7,   /* 1/64, 1/16, 1/4, 1/2, 3/4, 15/16, 63/64 */
    PBY_TIMES_EVENTS = 2 * PBY_TIMES_LEVELS,
    PBY_TIMES_MOST = 10000000 /* runs */
};

/* How often each event came with each side, and among how many runs: all that a verdict depends on. */
typedef struct pby_times_counts {
    uint64_t judging;                   /* runs that had thresholds */
    uint64_t seen[PBY_TIMES_EVENTS][2]; /* of these, those on each side that had the event */
} pby_times_counts;

struct pby_times {
    uint64_t *time[2]; /* of each side, in the order of the runs */
    size_t runs[2], room[2];
    uint64_t changes; /* runs on another side than the run before */
    pby_side last;    /* the side of the last run */
    pby_times_counts counts;
    uint64_t ring[PBY_TIMES_WINDOW]; /* the last times, in the order of the runs, and */
    uint64_t sorted[PBY_TIMES_WINDOW];
    size_t in_window;
};

/* Says an event in words: "above the quantile 63/64 of the 512 times before". */
const char *pby_times_event(int event);

/* True if fair coins could have chosen these sides: how often each came, and how often they changed. Fair
 * coins are refused with a chance below 2^-26. */
bool pby_times_fair(const pby_times *times);

#endif
