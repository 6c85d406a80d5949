/* SPDX-License-Identifier: MIT */
/* Accuracy with numbers as text. */
#include "accuracy/accuracy_texts.h"

#include <stdlib.h>

#include "number/number_texts.h"
#include "number/scoped.h"
#include "probity/experimental/accuracy.h"
#include "probity/rational.h"
#include "transport/distance.h"

enum { WIDTH, BETA, GAMMA, COUNT };

/* The question as numbers; each NULL where its text is. */
struct asked {
    mpq_t x[COUNT];
    pby_input_class inputs;
    mpq_srcptr beta, gamma;
};

static pby_status asked_init(struct asked *a, const pby_input_words *inputs, const char *beta,
                             const char *gamma, pby_error *err)
{
    static const char *const names[COUNT] = {"width", "beta", "gamma"};
    const char *const texts[COUNT] = {inputs->width, beta, gamma};
    for (size_t i = 0; i < COUNT; i++)
        mpq_init(a->x[i]);
    a->inputs = (pby_input_class){inputs->n, inputs->support, inputs->width == NULL ? NULL : a->x[WIDTH]};
    a->beta = beta == NULL ? NULL : a->x[BETA];
    a->gamma = gamma == NULL ? NULL : a->x[GAMMA];
    return pby_worded_parse(a->x, names, texts, COUNT, err);
}

static void asked_clear(struct asked *a)
{
    for (size_t i = 0; i < COUNT; i++)
        mpq_clear(a->x[i]);
}

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

pby_status pby_accuracy_release_text(pby_accuracy_words *out, uint64_t *bar_loss, const pby_spec *spec,
                                     const pby_input_words *inputs, pby_error *err)
{
    struct asked asked;
    pby_accuracy a;
    pby_accuracy_init(&a);
    pby_status status = asked_init(&asked, inputs, NULL, NULL, err);
    if (status == PBY_OK)
        status = pby_accuracy_release(&a, bar_loss, spec, &asked.inputs, err);
    if (status == PBY_OK)
        status = pby_accuracy_words_set(out, &a, err);
    asked_clear(&asked);
    pby_accuracy_clear(&a);
    return status;
}

pby_status pby_accuracy_seen_text(pby_accuracy_words *out, const pby_spec *spec,
                                  const pby_input_words *inputs, pby_error *err)
{
    struct asked asked;
    pby_accuracy a;
    pby_accuracy_init(&a);
    pby_status status = asked_init(&asked, inputs, NULL, NULL, err);
    if (status == PBY_OK)
        status = pby_accuracy_seen(&a, spec, &asked.inputs, err);
    if (status == PBY_OK)
        status = pby_accuracy_words_set(out, &a, err);
    asked_clear(&asked);
    pby_accuracy_clear(&a);
    return status;
}

pby_status pby_accuracy_noisy_text(pby_accuracy_words *out, pby_decimals *chance, const pby_spec *spec,
                                   const pby_input_words *inputs, const char *beta, const char *gamma,
                                   unsigned digits, pby_error *err)
{
    struct asked asked;
    pby_noisy_accuracy a;
    pby_noisy_accuracy_init(&a);
    pby_status status = asked_init(&asked, inputs, beta, gamma, err);
    if (status == PBY_OK)
        status = pby_accuracy_noisy(&a, spec, &asked.inputs, asked.beta, asked.gamma,
                                    digits == 0 ? PBY_DIGITS_DEFAULT : digits, err);
    if (status == PBY_OK)
        status = pby_accuracy_words_set(out, &a.release, err);
    if (status == PBY_OK)
        pby_decimals_set(chance, &a.chance, digits);
    asked_clear(&asked);
    pby_noisy_accuracy_clear(&a);
    return status;
}

pby_status pby_accuracy_claimed_text(char **alpha, const pby_spec *spec, const pby_input_words *inputs,
                                     pby_error *err)
{
    struct asked asked;
    *alpha = NULL;
    PBY_MPQ(x);
    pby_status status = asked_init(&asked, inputs, NULL, NULL, err);
    if (status == PBY_OK)
        status = pby_accuracy_claimed(x, spec, &asked.inputs, err);
    if (status == PBY_OK)
        status = pby_rational_print(alpha, x, err);
    asked_clear(&asked);
    return status;
}

pby_status pby_accuracy_share_text(pby_decimals *truth, pby_decimals *deviation, const pby_spec *spec,
                                   uint64_t n, unsigned digits, pby_error *err)
{
    const unsigned wanted = digits == 0 ? PBY_DIGITS_DEFAULT : digits;
    pby_enclosure x, y;
    pby_enclosure_init(&x);
    pby_enclosure_init(&y);
    const pby_status status = pby_accuracy_share(&x, &y, spec, n, wanted, err);
    if (status == PBY_OK) {
        pby_decimals_set(truth, &x, wanted);
        pby_decimals_set(deviation, &y, wanted);
    }
    pby_enclosure_clear(&y);
    pby_enclosure_clear(&x);
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

pby_status pby_accuracy_statistic_text(pby_accuracy_words *out, char **tau, const pby_accuracy_words *release,
                                       const pby_statistic *statistic, pby_statistic_metric metric,
                                       pby_error *err)
{
    pby_accuracy a;
    pby_distance t;
    *tau = NULL;
    pby_distance_init(&t);
    pby_status status = read_words(&a, release, err);
    if (status == PBY_OK) {
        pby_accuracy_statistic(&a, &t, &a, statistic, metric);
        status = pby_distance_text(tau, &t, err);
    }
    if (status == PBY_OK)
        status = pby_accuracy_words_set(out, &a, err);
    if (status != PBY_OK) {
        free(*tau);
        *tau = NULL;
    }
    pby_accuracy_clear(&a);
    pby_distance_clear(&t);
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

pby_status pby_accuracy_counted_text(pby_accuracy_words *out, const char **unknown, bool *least,
                                     const pby_spec *spec, const pby_input_words *inputs, const char *beta,
                                     const char *gamma, const pby_statistic *statistic, pby_error *err)
{
    struct asked asked;
    pby_noisy_accuracy release;
    pby_accuracy a;
    *out = (pby_accuracy_words){NULL, NULL, NULL};
    *unknown = NULL;
    *least = false;
    pby_noisy_accuracy_init(&release);
    pby_accuracy_init(&a);
    pby_status status = asked_init(&asked, inputs, beta, gamma, err);
    if (status == PBY_OK)
        status = pby_accuracy_noisy(&release, spec, &asked.inputs, asked.beta, asked.gamma,
                                    PBY_DIGITS_DEFAULT, err);
    if (status == PBY_OK)
        *least = pby_accuracy_counted(&a, unknown, &release, &asked.inputs, statistic);
    if (status == PBY_OK && *unknown == NULL)
        status = pby_accuracy_words_set(out, &a, err);
    asked_clear(&asked);
    pby_accuracy_clear(&a);
    pby_noisy_accuracy_clear(&release);
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
