/* SPDX-License-Identifier: MIT */
/* Where the verdicts of a monotone question change. */
#ifndef PBY_SELECT_SELECT_BISECT_H
#define PBY_SELECT_SELECT_BISECT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

typedef enum pby_decision {
    PBY_WITHIN, /* the upper bound is at most the target */
    PBY_BEYOND, /* the lower bound is above the target */
    PBY_NEITHER /* neither */
} pby_decision;

typedef pby_status (*pby_judge)(pby_decision *verdict, int64_t i, const void *what, pby_error *err);

/* The candidates first, first + stride, ... up to last; start, if not 0, is where the change is expected. If
 * it may be anywhere, they are halved from there on. */
typedef struct pby_candidates {
    int64_t first, stride, last, start;
    bool anywhere;
} pby_candidates;

/* The result of a search; 0 stands for none. */
typedef struct pby_edge {
    int64_t within, beyond;
} pby_edge;

/* Candidates of which the early ones are BEYOND and the late ones WITHIN (rising), or the other way round.
 * within: the one nearest to the change that is WITHIN; beyond: likewise. Between the two all asked
 * are UNTOLD. By doubling steps from the start and bisection. */
pby_status pby_edge_find(pby_edge *out, pby_judge judge, const void *what, const pby_candidates *candidates,
                         bool rising, pby_error *err);

/* Searches without relying on any order: the first candidate that is WITHIN, all before it having been asked,
 * and the last of these that is BEYOND. */
pby_status pby_edge_scan(pby_edge *out, pby_judge judge, const void *what, const pby_candidates *candidates,
                         pby_error *err);

#endif
