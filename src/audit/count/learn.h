/* SPDX-License-Identifier: MIT */
/* The learned score: a small logistic model of which side an output came from.
 *
 * It looks at the coordinates of a vector one by one (a number standardised and clipped, its size, on which
 * side of the middle it is, whether the coordinate is empty or a word, some bits of the word's hash) and adds
 * up what each says.
 * Beside it one relation of two coordinates is learned. Both are trained on the ordering stage of the sample,
 * so that any threshold of the score, set on the selecting stage, is an event fixed before the judging stage
 * is seen.
 */
#ifndef PBY_AUDIT_COUNT_LEARN_H
#define PBY_AUDIT_COUNT_LEARN_H

#include <stdbool.h>
#include <stddef.h>

#include "audit/count/outcome.h"
#include "audit/count/relation.h"
#include "base/status.h"

enum {
    PBY_MODEL_COORDINATES = PBY_COORDINATES,
    PBY_MODEL_WORD_BITS = 6,
    PBY_MODEL_KINDS = 5 + PBY_MODEL_WORD_BITS, /* what is said about one coordinate */
    PBY_MODEL_WEIGHTS = PBY_MODEL_COORDINATES * PBY_MODEL_KINDS
};

typedef struct pby_model {
    double centre[PBY_MODEL_COORDINATES], spread[PBY_MODEL_COORDINATES];
    double weight[PBY_MODEL_WEIGHTS];
    pby_relation relation;
} pby_model;

typedef struct pby_example {
    const char *text;
    size_t length;
    int side;
} pby_example;

/* Trains on the examples; *useful is false, and the model zero, when less than half of them are
 * vectors or one side has none. */
pby_status pby_model_train(pby_model *model, bool *useful, const pby_example *example, size_t count,
                           pby_error *err);

double pby_model_score(const pby_model *model, const pby_outcome *outcome);

#endif
