/* SPDX-License-Identifier: MIT */
/* `probity explain SPEC`: the mechanism in words, its privacy loss and its accuracy. */
#ifndef PBY_REPORT_EXPLAIN_EXPLANATION_H
#define PBY_REPORT_EXPLAIN_EXPLANATION_H

#include <jansson.h>

#include "mechanism/spec/story.h"
#include "probity/enclosure.h"
#include "probity/experimental/accuracy.h"
#include "report/loss/claimed.h"

/* The delta that epsilon is asked at. */
#define PBY_EXPLAIN_DELTA "1e-6"

typedef struct pby_explanation {
    const pby_spec *spec; /* not its own */
    const pby_mechanism *mechanism;
    const pby_story *story;
    pby_story sampled; /* the story of a mechanism that samples */
    pby_neighbours relation;
    unsigned digits;
    bool owns_epsilon; /* the spec names an epsilon; delta is asked there */
    mpq_t own_epsilon;
    pby_enclosure delta, epsilon, rho;
    pby_claimed claimed;
    bool knows_rho;                  /* divergences of a sampled mechanism may not be known */
    bool delta_wider, epsilon_wider; /* than enclosures usually are */
    uint64_t bar_loss;               /* this and the next where the story has no accuracy of its own */
    pby_accuracy accuracy;
} pby_explanation;

void pby_explanation_init(pby_explanation *x);
void pby_explanation_clear(pby_explanation *x);

/* Sets what the spec, the relation and the digits say already, which the caller has set before. Refused: a
 * family that has no story. */
PBY_CHECKED
pby_status pby_explanation_begin(pby_explanation *x, pby_error *err);

/* Then the loss and the accuracy, which may take long. */
PBY_CHECKED
pby_status pby_explanation_ask(pby_explanation *x, pby_error *err);

/* One JSON object, as --json prints it; NULL when there is no memory. */
json_t *pby_explanation_json(const pby_explanation *x);

/* The accuracy in words, for free(3); NULL when there is no memory. */
char *pby_explanation_accuracy(const pby_explanation *x);

/* True if the mechanism draws from its noise law, and does not only lose. */
bool pby_explanation_draws(const pby_explanation *x);

#endif
