/* SPDX-License-Identifier: MIT */
/* Mechanisms that are asked in a session: a stream of answers is held against one noisy threshold. */
#ifndef PBY_MECHANISM_SHARED_STREAM_H
#define PBY_MECHANISM_SHARED_STREAM_H

#include "mechanism/family.h"

/* Where one use ends: behind so many positive answers, or so many questions (0: any number). An answer that
 * is more than gap below the threshold is raised to that (0: none is). */
typedef struct pby_stream_limits {
    int64_t tops, questions, gap;
} pby_stream_limits;

/* About how wide a noise is: the rate of geometric noise, or the deviation of Gaussian noise. It decides how
 * far is summed, and where a search begins. */
typedef struct pby_stream_width {
    bool gaussian;
    double size;
} pby_stream_width;

struct pby_stream_class {
    /* The noise of the threshold, which is drawn once a use, and of every answer, which each draws anew. */
    pby_status (*threshold)(pby_law **out, const pby_mechanism *m, pby_error *err);
    pby_status (*answer)(pby_law **out, const pby_mechanism *m, pby_error *err);
    void (*limits)(pby_stream_limits *out, const pby_mechanism *m);
    void (*width)(pby_stream_width *threshold, pby_stream_width *answer, const pby_mechanism *m);
};

/* Refuses a spec that is no session: K uses of such a mechanism, and behind them nothing, or noise for a
 * value of each positive answer. */
PBY_CHECKED
pby_status pby_stream_session(const pby_spec *spec, pby_error *err);

/* The limits of the first mechanism of a session. */
pby_stream_limits pby_stream_limits_of(const pby_spec *spec);

#endif
