/* SPDX-License-Identifier: MIT */
/* A release that is open, inside src/mechanism/run. */
#ifndef PBY_MECHANISM_RUN_RELEASE_STATE_H
#define PBY_MECHANISM_RUN_RELEASE_STATE_H

#include "law/thinning.h"
#include "mechanism/family.h"
#include "mechanism/run/noise_bars.h"
#include "mechanism/run/timing_safe.h"
#include "mechanism/shared/lattice.h"
#include "mechanism/shared/scores.h"

/* A mechanism and its noise. */
typedef struct pby_release_step {
    const pby_mechanism *mechanism; /* belongs to the spec */
    pby_sampler *sampler;           /* NULL until the size is known, where the mechanism reads it */
} pby_release_step;

struct pby_release {
    size_t uses;           /* of every bar */
    pby_release_step gate; /* without a mechanism where every bar may be released */
    pby_release_step main;
    pby_release_step last;  /* without a mechanism where there is none */
    bool holds_last;        /* until there is an answer */
    pby_thinning *thinning; /* of a mechanism that sees a sample, else NULL */
    pby_scores *scores;     /* of a mechanism that chooses a candidate, else NULL */
    pby_lattice *lattice;   /* of one that releases a point, else NULL */
    pby_entropy *source;
    bool timing_safe;
    pby_silent_update *silent; /* of a timing-safe release that updates so, else NULL */
    int64_t limit;             /* of a count; INT64_MAX where there is none */
    pby_neighbours relation;
};

/* Refuses a mechanism that chooses no candidate by its score. */
PBY_CHECKED
pby_status pby_release_expect_scores(const pby_release *release, pby_error *err);

#endif
