/* SPDX-License-Identifier: MIT */
/* One question about an accuracy, whatever the kind of the mechanism, and its answer. */
#include <stdlib.h>

#include "accuracy/accuracy.h"
#include "accuracy/accuracy_texts.h"
#include "accuracy/terms.h"
#include "base/status.h"
#include "number/number_texts.h"
#include "number/scoped.h"

/* ---- answers ------------------------------------------------------------------------------------ */

static void empty(pby_decimals *text)
{
    text->lo[0] = text->hi[0] = '\0';
}

/* Everything but the numbers, which keep their memory. */
static void forget(pby_accuracy_answer *x)
{
    pby_accuracy_words_clear(&x->release);
    pby_accuracy_words_clear(&x->seen);
    pby_accuracy_words_clear(&x->statistic);
    free(x->claimed);
    free(x->beta);
    x->claimed = x->beta = NULL;
    x->unknown = NULL;
    x->least = false;
    x->bar_loss = 0;
    empty(&x->chance);
    empty(&x->truth_text);
    empty(&x->deviation_text);
    empty(&x->mean_text);
    empty(&x->error);
    empty(&x->flexible);
}

void pby_accuracy_answer_init(pby_accuracy_answer *x)
{
    const pby_accuracy_words none = {NULL, NULL, NULL};
    x->kind = PBY_ACCURACY_DROPS;
    x->release = x->seen = x->statistic = none;
    x->claimed = x->beta = NULL;
    forget(x);
    pby_noisy_accuracy_init(&x->of);
    pby_enclosure_init(&x->truth);
    pby_enclosure_init(&x->deviation);
    pby_accuracy_init(&x->behind);
    pby_enclosure_init(&x->mean);
    pby_given_accuracy_init(&x->given);
}

void pby_accuracy_answer_clear(pby_accuracy_answer *x)
{
    forget(x);
    pby_noisy_accuracy_clear(&x->of);
    pby_enclosure_clear(&x->truth);
    pby_enclosure_clear(&x->deviation);
    pby_accuracy_clear(&x->behind);
    pby_enclosure_clear(&x->mean);
    pby_given_accuracy_clear(&x->given);
}

/* ---- requests ----------------------------------------------------------------------------------- */

enum { WIDTH, BETA, GAMMA, ALPHA, NUMBERS };

/* A request as numbers; beta and gamma are NULL where they are not given. */
struct asked {
    const pby_spec *spec;
    const pby_accuracy_request *request;
    mpq_t x[NUMBERS];
    pby_input_class inputs;
    mpq_srcptr beta, gamma;
    unsigned digits;
};

static mpq_srcptr given(const struct asked *a, size_t i, const pby_value *value)
{
    return pby_value_none(value) ? NULL : a->x[i];
}

/* To be cleared whether this succeeds or not. */
static pby_status asked_init(struct asked *a, const pby_spec *spec, const pby_accuracy_request *request,
                             pby_error *err)
{
    static const char *const names[NUMBERS] = {"width", "beta", "gamma", "alpha"};
    const pby_value *const values[NUMBERS] = {&request->width, &request->beta, &request->gamma,
                                              &request->alpha};
    *a = (struct asked){.spec = spec,
                        .request = request,
                        .inputs = {.n = request->n, .support = request->support},
                        .digits = request->digits == 0 ? PBY_DIGITS_DEFAULT : request->digits};
    for (size_t i = 0; i < NUMBERS; i++)
        mpq_init(a->x[i]);
    for (size_t i = 0; i < NUMBERS; i++)
        if (!pby_value_none(values[i]))
            PBY_TRY(pby_value_read(a->x[i], names[i], values[i], err));
    a->inputs.width = given(a, WIDTH, values[WIDTH]);
    a->beta = given(a, BETA, values[BETA]);
    a->gamma = given(a, GAMMA, values[GAMMA]);
    return PBY_OK;
}

static void asked_clear(struct asked *a)
{
    for (size_t i = 0; i < NUMBERS; i++)
        mpq_clear(a->x[i]);
}

/* ---- of a release ------------------------------------------------------------------------------- */

static pby_status ask_dropping(pby_accuracy_answer *out, const struct asked *a, pby_error *err)
{
    PBY_MPQ(claimed);
    if (a->beta != NULL || a->gamma != NULL)
        return pby_fail(err, PBY_BAD, "%s: expected none, for a mechanism that draws no noise",
                        a->beta != NULL ? "beta" : "gamma");
    PBY_TRY(pby_accuracy_release(&out->of.release, &out->bar_loss, a->spec, &a->inputs, err));
    PBY_TRY(pby_accuracy_seen(&out->of.seen, a->spec, &a->inputs, err));
    PBY_TRY(pby_accuracy_words_set(&out->seen, &out->of.seen, err));
    if (out->kind != PBY_ACCURACY_DROPS)
        return PBY_OK;
    PBY_TRY(pby_accuracy_claimed(claimed, a->spec, &a->inputs, err));
    return pby_rational_print(&out->claimed, claimed, err);
}

static pby_status ask_noisy(pby_accuracy_answer *out, const struct asked *a, pby_error *err)
{
    PBY_TRY(pby_accuracy_noisy(&out->of, a->spec, &a->inputs, a->beta, a->gamma, a->digits, err));
    pby_decimals_set(&out->chance, &out->of.chance, a->digits);
    if (out->of.gated)
        PBY_TRY(pby_accuracy_words_set(&out->seen, &out->of.seen, err));
    if (out->kind != PBY_ACCURACY_SHARE && out->kind != PBY_ACCURACY_MEAN)
        return PBY_OK;
    PBY_TRY(pby_accuracy_share(&out->truth, &out->deviation, a->spec, a->inputs.n, a->digits, err));
    pby_decimals_set(&out->truth_text, &out->truth, a->digits);
    pby_decimals_set(&out->deviation_text, &out->deviation, a->digits);
    return PBY_OK;
}

static pby_status ask_release(pby_accuracy_answer *out, const struct asked *a, pby_error *err)
{
    PBY_TRY(pby_accuracy_noisy_kind(out->kind) ? ask_noisy(out, a, err) : ask_dropping(out, a, err));
    return pby_accuracy_words_set(&out->release, &out->of.release, err);
}

/* ---- of a statistic ----------------------------------------------------------------------------- */

static pby_status statistic_of(const pby_statistic **out, const struct asked *a, pby_error *err)
{
    *out = a->request->statistic;
    return *out != NULL ? PBY_OK : pby_fail(err, PBY_BAD, "statistic: expected one");
}

/* Where records are dropped and moved, which bars there are is known better than their counts. */
static void ask_moved(pby_accuracy_answer *out, const pby_statistic *statistic)
{
    const bool seen = pby_statistic_of_support(statistic);
    pby_distance tau;
    pby_distance_init(&tau);
    pby_accuracy_statistic(&out->behind, &tau, seen ? &out->of.seen : &out->of.release, statistic,
                           PBY_METRIC_POINTS);
    out->least = seen || mpq_sgn(out->behind.alpha.value) == 0;
    out->unknown = tau.infinite ? "records that move may meet in one bar" : NULL;
    pby_distance_clear(&tau);
}

static pby_status ask_statistic(pby_accuracy_answer *out, const struct asked *a, pby_error *err)
{
    const pby_statistic *statistic;
    PBY_TRY(statistic_of(&statistic, a, err));
    PBY_TRY(pby_statistic_admitted(a->spec, statistic, err));
    PBY_TRY(ask_release(out, a, err));
    if (pby_accuracy_noisy_kind(out->kind))
        out->least = pby_accuracy_counted(&out->behind, &out->unknown, &out->of, &a->inputs, statistic);
    else
        ask_moved(out, statistic);
    return out->unknown != NULL ? PBY_OK : pby_accuracy_words_set(&out->statistic, &out->behind, err);
}

/* ---- the mean error, and given data ------------------------------------------------------------- */

static pby_status ask_average(pby_accuracy_answer *out, const struct asked *a, pby_error *err)
{
    PBY_TRY(pby_accuracy_average(&out->mean, a->spec, &a->inputs, a->x[GAMMA], a->digits, err));
    pby_decimals_set(&out->mean_text, &out->mean, a->digits);
    return PBY_OK;
}

static pby_status read_places(mpq_t *place, const pby_accuracy_request *r, pby_error *err)
{
    for (size_t i = 0; i < r->bars; i++)
        PBY_TRY(pby_value_read(place[i], "at", &r->at[i], err));
    return PBY_OK;
}

static pby_status ask_given(pby_accuracy_answer *out, const struct asked *a, pby_error *err)
{
    const pby_accuracy_request *r = a->request;
    const pby_statistic *statistic;
    PBY_TRY(statistic_of(&statistic, a, err));
    if (r->counts == NULL || r->at == NULL || r->bars == 0)
        return pby_fail(err, PBY_BAD, "counts: expected at least one bar, and where it is");
    mpq_t *place = calloc(r->bars, sizeof *place);
    if (place == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < r->bars; i++)
        mpq_init(place[i]);
    pby_given_accuracy_clear(&out->given);
    pby_given_accuracy_init(&out->given);
    pby_status status = read_places(place, r, err);
    if (status == PBY_OK)
        status = pby_accuracy_given(&out->given, a->spec, statistic, r->counts, *place, r->bars, a->x[ALPHA],
                                    a->x[GAMMA], a->digits, err);
    for (size_t i = 0; i < r->bars; i++)
        mpq_clear(place[i]);
    free(place);
    PBY_TRY(status);
    pby_decimals_set(&out->error, &out->given.error, a->digits);
    pby_decimals_set(&out->flexible, &out->given.flexible, a->digits);
    return pby_rational_print(&out->beta, out->given.beta, err);
}

pby_status pby_accuracy_ask(pby_accuracy_answer *out, const pby_spec *spec,
                            const pby_accuracy_request *request, pby_error *err)
{
    static pby_status (*const ask[])(pby_accuracy_answer *, const struct asked *, pby_error *) = {
        [PBY_ACCURACY_RELEASE] = ask_release,
        [PBY_ACCURACY_STATISTIC] = ask_statistic,
        [PBY_ACCURACY_AVERAGE] = ask_average,
        [PBY_ACCURACY_GIVEN] = ask_given,
    };
    struct asked a;
    forget(out);
    out->of.gated = out->of.shrinks = out->of.recounts = false;
    pby_status status = asked_init(&a, spec, request, err);
    if (status == PBY_OK && (size_t)request->ask >= sizeof ask / sizeof *ask)
        status = pby_fail(err, PBY_BAD, "ask: expected a question, such as PBY_ACCURACY_RELEASE");
    if (status == PBY_OK && request->ask != PBY_ACCURACY_GIVEN)
        status = pby_accuracy_kind_of(&out->kind, spec, err);
    if (status == PBY_OK)
        status = ask[request->ask](out, &a, err);
    asked_clear(&a);
    return status;
}
