/* Accuracy with numbers as text. */
#include <stdlib.h>

#include "number/worded.h"
#include "probity/accuracy.h"
#include "probity/rational.h"

enum { WIDTH, BETA, GAMMA, COUNT };

/* What is asked for, as numbers; each NULL where its text is. */
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

static pby_status set_words(pby_accuracy_words *out, const pby_accuracy *a, pby_error *err)
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
        status = set_words(out, &a, err);
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
        status = set_words(out, &a, err);
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
        status = set_words(out, &a.release, err);
    if (status == PBY_OK)
        pby_decimals_set(chance, &a.chance, digits);
    asked_clear(&asked);
    pby_noisy_accuracy_clear(&a);
    return status;
}
