/* SPDX-License-Identifier: MIT */
#include "audit/count/learn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 150 };

static const double clip = 6, steep = 2, step = 0.7, shrink = 1e-3;

/* Fills phi with the features of an output's coordinates; returns their number. */
static size_t describe(double phi[PBY_MODEL_WEIGHTS], const pby_model *model, const pby_outcome *o)
{
    const size_t said = o->count * PBY_MODEL_KINDS;
    memset(phi, 0, said * sizeof *phi);
    for (size_t i = 0; i < o->count; i++) {
        double *f = phi + i * PBY_MODEL_KINDS;
        const pby_token *t = &o->token[i];
        if (t->kind == PBY_NUMBER) {
            f[0] = fmax(-clip, fmin(clip, (t->value - model->centre[i]) / model->spread[i]));
            f[1] = fabs(f[0]) - 1;
            f[2] = fmax(-1, fmin(1, steep * f[0]));
        } else {
            f[3] = t->kind == PBY_EMPTY;
            f[4] = t->kind == PBY_WORD;
            for (unsigned bit = 0; bit < PBY_MODEL_WORD_BITS && t->kind == PBY_WORD; bit++)
                f[5 + bit] = t->hash >> (2 + bit) & 1 ? 1 : 0;
        }
    }
    return said;
}

double pby_model_score(const pby_model *model, const pby_outcome *outcome)
{
    double phi[PBY_MODEL_WEIGHTS], score = 0;
    const size_t said = describe(phi, model, outcome);
    for (size_t i = 0; i < said; i++)
        score += phi[i] * model->weight[i];
    return score;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median and the quartile range of each coordinate. */
static void standardise(pby_model *model, const pby_outcome *o, size_t count, double *room)
{
    for (size_t i = 0; i < PBY_MODEL_COORDINATES; i++) {
        size_t n = 0;
        for (size_t k = 0; k < count; k++)
            if (i < o[k].count && o[k].token[i].kind == PBY_NUMBER)
                room[n++] = o[k].token[i].value;
        qsort(room, n, sizeof *room, by_value);
        model->centre[i] = n == 0 ? 0 : room[n / 2];
        model->spread[i] = n == 0 ? 0 : (room[n - 1 - n / 4] - room[n / 4]) / 2;
        if (!(model->spread[i] > 0) || !isfinite(model->spread[i]))
            model->spread[i] = 1;
    }
}

/* Plain gradient descent on the logistic loss with a small penalty on large weights. Each example is
 * described by so many numbers. */
static void descend(pby_model *model, const double *phi, size_t numbers, const pby_example *example,
                    size_t count)
{
    for (int round = 0; round < ROUNDS; round++) {
        double slope[PBY_MODEL_WEIGHTS] = {0};
        for (size_t k = 0; k < count; k++) {
            const double *f = phi + k * numbers;
            double score = 0;
            for (size_t i = 0; i < numbers; i++)
                score += f[i] * model->weight[i];
            const double miss = (example[k].side == 0) - 1 / (1 + exp(-score));
            for (size_t i = 0; i < numbers; i++)
                slope[i] += miss * f[i];
        }
        for (size_t i = 0; i < numbers; i++)
            model->weight[i] += step * (slope[i] / (double)count - shrink * model->weight[i]);
    }
}

static bool worth_training(const pby_outcome *o, const pby_example *example, size_t count)
{
    size_t vectors = 0, left = 0;
    for (size_t k = 0; k < count; k++) {
        vectors += o[k].count > 1;
        left += example[k].side == 0;
    }
    return 2 * vectors >= count && left > 0 && left < count;
}

static pby_status learn_relation(pby_model *model, const pby_outcome *outcome, const pby_example *example,
                                 size_t count, pby_error *err)
{
    int *side = malloc(count * sizeof *side);
    if (side == NULL)
        return pby_no_memory(err);
    for (size_t k = 0; k < count; k++)
        side[k] = example[k].side;
    const pby_status status = pby_relation_learn(&model->relation, outcome, side, count, err);
    free(side);
    return status;
}

/* The coordinates of the longest vector. */
static size_t longest(const pby_outcome *o, size_t count)
{
    size_t most = 1;
    for (size_t k = 0; k < count; k++)
        most = o[k].count > most ? o[k].count : most;
    return most;
}

pby_status pby_model_train(pby_model *model, bool *useful, const pby_example *example, size_t count,
                           pby_error *err)
{
    *model = (pby_model){.relation = {0, 0, PBY_OPERATIONS}};
    *useful = false;
    if (count == 0)
        return PBY_OK;
    pby_outcome *outcome = malloc(count * sizeof *outcome);
    if (outcome == NULL)
        return pby_no_memory(err);
    for (size_t k = 0; k < count; k++)
        pby_outcome_read(&outcome[k], example[k].text, example[k].length);
    const size_t numbers = longest(outcome, count) * PBY_MODEL_KINDS;
    double *phi = calloc(count * numbers, sizeof *phi);
    *useful = phi != NULL && worth_training(outcome, example, count);
    pby_status status = phi == NULL ? pby_no_memory(err) : PBY_OK;
    if (*useful) {
        standardise(model, outcome, count, phi);
        memset(phi, 0, count * sizeof *phi);
        for (size_t k = 0; k < count; k++)
            describe(phi + k * numbers, model, &outcome[k]);
        descend(model, phi, numbers, example, count);
        status = learn_relation(model, outcome, example, count, err);
    }
    free(phi);
    free(outcome);
    return status;
}
