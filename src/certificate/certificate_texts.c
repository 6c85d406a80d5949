/* SPDX-License-Identifier: MIT */
/* Certificates with numbers as text. */
#include <stdlib.h>

#include "accuracy/accuracy_texts.h"
#include "number/number_texts.h"
#include "probity/certificate.h"
#include "probity/experimental/certified.h"
#include "probity/rational.h"

enum { EPSILON, DELTA, WIDTH, BETA, GAMMA, COUNT };

static pby_status certify(char **text, const pby_spec *spec, pby_neighbours relation, mpq_t *x,
                          const pby_certify_words *words, pby_error *err)
{
    if (words == NULL)
        return pby_certify(text, spec, relation, x[EPSILON], err);
    const pby_input_class inputs = {words->n, words->support, words->width == NULL ? NULL : x[WIDTH]};
    const pby_certify_options options = {.delta = words->delta == NULL ? NULL : x[DELTA],
                                         .inputs = words->support == 0 ? NULL : &inputs,
                                         .beta = words->beta == NULL ? NULL : x[BETA],
                                         .gamma = words->gamma == NULL ? NULL : x[GAMMA],
                                         .user = words->user};
    return pby_certify_with(text, spec, relation, x[EPSILON], &options, err);
}

pby_status pby_certify_text(char **text, const pby_spec *spec, pby_neighbours relation, const char *epsilon,
                            const pby_certify_words *options, pby_error *err)
{
    static const char *const names[COUNT] = {"epsilon", "delta", "width", "beta", "gamma"};
    static const pby_certify_words none;
    const pby_certify_words *o = options == NULL ? &none : options;
    const char *const texts[COUNT] = {epsilon, o->delta, o->width, o->beta, o->gamma};
    mpq_t x[COUNT];
    *text = NULL;
    for (size_t i = 0; i < COUNT; i++)
        mpq_init(x[i]);
    pby_status status = pby_worded_parse(x, names, texts, COUNT, err);
    if (status == PBY_OK)
        status = certify(text, spec, relation, x, options, err);
    for (size_t i = 0; i < COUNT; i++)
        mpq_clear(x[i]);
    return status;
}

pby_status pby_certificate_accuracy_text(pby_accuracy_words *accuracy, uint64_t *n, uint64_t *support,
                                         char **width, const pby_certificate *certificate, pby_error *err)
{
    const pby_input_class *inputs = NULL;
    const pby_accuracy *a = pby_certificate_accuracy(certificate, &inputs);
    pby_status status = PBY_OK;
    *accuracy = (pby_accuracy_words){NULL, NULL, NULL};
    if (n != NULL)
        *n = a == NULL ? 0 : inputs->n;
    if (support != NULL)
        *support = a == NULL ? 0 : inputs->support;
    if (width != NULL)
        *width = NULL;
    if (a != NULL && width != NULL && inputs->width != NULL)
        status = pby_rational_print(width, inputs->width, err);
    if (a != NULL && status == PBY_OK)
        status = pby_accuracy_words_set(accuracy, a, err);
    if (status != PBY_OK && width != NULL) {
        free(*width);
        *width = NULL;
    }
    return status;
}
