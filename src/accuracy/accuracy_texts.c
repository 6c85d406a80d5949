/* SPDX-License-Identifier: MIT */
/* Accuracy with numbers as text. */
#include "accuracy/accuracy_texts.h"

#include <stdlib.h>

#include "number/scoped.h"
#include "probity/experimental/accuracy.h"
#include "probity/rational.h"
#include "transport/distance.h"

void pby_accuracy_words_clear(pby_accuracy_words *accuracy)
{
    free(accuracy->alpha);
    free(accuracy->beta);
    free(accuracy->gamma);
    *accuracy = (pby_accuracy_words){NULL, NULL, NULL};
}

pby_status pby_accuracy_words_set(pby_accuracy_words *out, const pby_accuracy *a, pby_error *err)
{
    *out = (pby_accuracy_words){NULL, NULL, NULL};
    pby_status status = pby_distance_text(&out->alpha, &a->alpha, err);
    if (status == PBY_OK)
        status = pby_distance_text(&out->beta, &a->beta, err);
    if (status == PBY_OK)
        status = pby_rational_print(&out->gamma, a->gamma, err);
    if (status != PBY_OK)
        pby_accuracy_words_clear(out);
    return status;
}

/* ---- out of an accuracy --------------------------------------------------------------------------- */

/* To be cleared whether this succeeds or not. */
static pby_status read_words(pby_accuracy *a, const pby_accuracy_words *words, pby_error *err)
{
    pby_accuracy_init(a);
    pby_status status = pby_distance_parse(&a->alpha, "alpha", words->alpha, err);
    if (status == PBY_OK)
        status = pby_distance_parse(&a->beta, "beta", words->beta, err);
    return status == PBY_OK ? pby_rational_parse(a->gamma, "gamma", words->gamma, err) : status;
}

pby_status pby_accuracy_compose_text(pby_accuracy_words *out, const pby_accuracy_words *first,
                                     const char *sigma, const char *tau, const char *gamma2, pby_error *err)
{
    pby_accuracy a;
    pby_distance s, t;
    pby_distance_init(&s);
    pby_distance_init(&t);
    PBY_MPQ(gamma);
    pby_status status = read_words(&a, first, err);
    if (status == PBY_OK)
        status = pby_distance_parse(&s, "sigma", sigma, err);
    if (status == PBY_OK)
        status = pby_distance_parse(&t, "tau", tau, err);
    if (status == PBY_OK)
        status = pby_rational_parse(gamma, "gamma2", gamma2, err);
    if (status == PBY_OK) {
        pby_accuracy_compose(&a, &a, &s, &t, gamma);
        status = pby_accuracy_words_set(out, &a, err);
    }
    pby_accuracy_clear(&a);
    pby_distance_clear(&t);
    pby_distance_clear(&s);
    return status;
}

pby_status pby_accuracy_compose_average_text(pby_accuracy_words *out, const pby_accuracy_words *first,
                                             const pby_accuracy_words *second, const char *sigma,
                                             const char *tau, pby_error *err)
{
    pby_accuracy a, b;
    pby_distance s, t;
    pby_distance_init(&s);
    pby_distance_init(&t);
    pby_accuracy_init(&b);
    pby_status status = read_words(&a, first, err);
    if (status == PBY_OK) {
        pby_accuracy_clear(&b);
        status = read_words(&b, second, err);
    }
    if (status == PBY_OK)
        status = pby_distance_parse(&s, "sigma", sigma, err);
    if (status == PBY_OK)
        status = pby_distance_parse(&t, "tau", tau, err);
    if (status == PBY_OK) {
        pby_accuracy_compose_average(&a, &a, &b, &s, &t);
        status = pby_accuracy_words_set(out, &a, err);
    }
    pby_accuracy_clear(&b);
    pby_accuracy_clear(&a);
    pby_distance_clear(&t);
    pby_distance_clear(&s);
    return status;
}

pby_status pby_accuracy_drop_move_text(pby_accuracy_words *out, const pby_accuracy_words *release,
                                       const char *eta, pby_error *err)
{
    pby_accuracy a;
    PBY_MPQ(price);
    pby_status status = read_words(&a, release, err);
    if (status == PBY_OK)
        status = pby_rational_parse(price, "eta", eta, err);
    if (status == PBY_OK) {
        pby_accuracy_drop_move(&a, &a, price);
        status = pby_accuracy_words_set(out, &a, err);
    }
    pby_accuracy_clear(&a);
    return status;
}

pby_status pby_statistic_sensitivity_text(char **out, const pby_statistic *statistic,
                                          pby_statistic_metric metric, const char *beta, pby_error *err)
{
    pby_distance answer, at;
    *out = NULL;
    pby_distance_init(&answer);
    pby_distance_init(&at);
    pby_status status = pby_distance_parse(&at, "beta", beta, err);
    if (status == PBY_OK) {
        pby_statistic_sensitivity(&answer, statistic, metric, &at);
        status = pby_distance_text(out, &answer, err);
    }
    pby_distance_clear(&at);
    pby_distance_clear(&answer);
    return status;
}
