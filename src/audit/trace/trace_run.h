/* SPDX-License-Identifier: MIT */
/* One run of a pipeline as its trace tells it: draws, sums, outputs (docs/greybox.md, *The trace*). */
#ifndef PBY_AUDIT_TRACE_TRACE_RUN_H
#define PBY_AUDIT_TRACE_TRACE_RUN_H

#include <stdint.h>

#include "audit/trace/trace_number.h"
#include "io/digest.h"

typedef enum pby_trace_law {
    PBY_TRACE_LAPLACE,
    PBY_TRACE_GAUSS,
    PBY_TRACE_GEOMETRIC,
    PBY_TRACE_DGAUSS,
    PBY_TRACE_OTHER, /* a law that is not known here: such noise is always open */
    PBY_TRACE_CHOICE,
    PBY_TRACE_GUARANTEE,
    PBY_TRACE_LAWS
} pby_trace_law;

/* The name of a law in a trace. */
extern const char *const pby_trace_law_name[PBY_TRACE_LAWS];

/* A draw of noise, a choice, or a call of a primitive, which draws and adds. */
typedef struct pby_trace_noise {
    pby_trace_law law;
    char *site, *shape;
    size_t count;            /* elements */
    pby_trace_number *scale; /* one for all elements, or one for each */
    size_t scales;
    /* The noise that a seeded generator would have given, for each element; of a choice a uniform number. */
    pby_trace_number *own;
    int64_t seed;              /* the seed event in the run, -1 without one */
    pby_trace_number declared; /* the sensitivity that a call declares */
    bool has_declared;
    char *spec;          /* of a guarantee */
    pby_trace_number *p; /* of a choice, each at least 0, their sum above 0; they are divided by it */
    char **labels;       /* as many */
    size_t labels_count, chosen;
} pby_trace_noise;

/* An element of a draw, times a factor, plus its centre. */
typedef struct pby_trace_sum {
    size_t noise, element;
    const char *site; /* the event's */
    pby_trace_number factor, centre, value;
} pby_trace_sum;

/* An element of noise that was read other than by a sum. */
typedef struct pby_trace_open {
    size_t noise, element;
    char *site, *by;
} pby_trace_open;

typedef struct pby_trace_seed {
    char *site;
    bool literal; /* its value stands in the source, so that it is no secret */
    bool same;    /* an earlier seed of the run has its value */
} pby_trace_seed;

/* A coordinate of the output: a value or a text at a path. */
typedef struct pby_trace_output {
    char *path, *text;      /* text NULL of a number */
    pby_trace_number value; /* noisy in a probe */
    int64_t sum;            /* index of the sum that it is a y + b of, -1 if that is not known */
    pby_trace_number a, b;
} pby_trace_output;

typedef enum pby_trace_kind {
    PBY_TRACE_DRAWN,
    PBY_TRACE_SUMMED,
    PBY_TRACE_CALLED,
    PBY_TRACE_CHOSEN,
    PBY_TRACE_OPENED,
    PBY_TRACE_SEEDED
} pby_trace_kind;

/* An event by its number in the run: its index in the array of its kind, and how many sums it has. */
typedef struct pby_trace_event {
    pby_trace_kind kind;
    size_t index, count;
    size_t noise; /* of draws, calls and choices */
} pby_trace_event;

typedef struct pby_trace_run {
    uint64_t number, line; /* line: of its beginning, counted from 1 */
    bool probe;
    char input[2 * crypto_hash_sha256_BYTES + 1];
    char replay_of[2 * crypto_hash_sha256_BYTES + 1]; /* "" of a recorded run */
    pby_digest digest;                                /* of its lines */
    pby_trace_event *events;
    size_t events_count, events_room;
    pby_trace_noise *noise;
    size_t noise_count, noise_room;
    pby_trace_sum *sums;
    size_t sums_count, sums_room;
    pby_trace_open *opens;
    size_t opens_count, opens_room;
    pby_trace_seed *seeds;
    size_t seeds_count, seeds_room;
    pby_trace_output *outputs;
    size_t outputs_count, outputs_room;
    char **sites; /* of sum events, which their sums share */
    size_t sites_count, sites_room;
    char *error;    /* the type of the exception that ended it; NULL without one */
    size_t numbers; /* about how many numbers it holds */
} pby_trace_run;

enum { PBY_TRACE_NUMBERS_MAX = 10000000 }; /* numbers of one list, and of the runs that are kept */

void pby_trace_run_clear(pby_trace_run *run);

/* True if two coordinates without noise have one value, or values that differ by rounding alone. */
bool pby_trace_same_value(const pby_trace_output *x, const pby_trace_output *y);

/* The parameter of an element of a draw. */
const pby_trace_number *pby_trace_scale(const pby_trace_noise *noise, size_t element);

#endif
