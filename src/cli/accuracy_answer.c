#include "cli/accuracy_answer.h"

#include <flint/fmpq.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/exact.h"
#include "cli/output.h"
#include "cli/profile.h"
#include "number/text.h"

/* The accuracy of the release, and what it is made of. */
struct answer {
    const pby_accuracy_question *q;
    bool noisy; /* else only records are lost */
    pby_noisy_accuracy release;
    uint64_t bar_loss;
    mpq_t claimed;
    pby_accuracy bucketing;
};

/* ---- one accuracy, with the terms of its composition --------------------------------------------- */

/* What Theorem 1 composes behind a first accuracy: sigma and tau, and what they are taken at. */
struct terms {
    const pby_distance *at_alpha, *sigma, *tau;
    const pby_accuracy *first;
};

/* A distance as text, for free(3). */
static char *distance_text(const pby_distance *x)
{
    return x->infinite ? strdup("inf") : pby_exact_text(x->value);
}

/* A gamma may be very small, and then has an exponent. */
static void gamma_text(char text[PBY_DECIMAL_SIZE], mpq_srcptr gamma)
{
    fmpq_t q;
    fmpq_init(q);
    fmpq_set_mpq(q, gamma);
    pby_rational_text(text, q);
    fmpq_clear(q);
}

static pby_status print_terms(const struct terms *t, pby_error *err)
{
    char gamma[PBY_DECIMAL_SIZE];
    char *text[] = {distance_text(t->at_alpha), distance_text(t->sigma), distance_text(&t->first->beta),
                    distance_text(t->tau)};
    const bool whole = text[0] != NULL && text[1] != NULL && text[2] != NULL && text[3] != NULL;
    gamma_text(gamma, t->first->gamma);
    if (whole)
        printf("  sigma(%s) = %s, tau(%s, %s) = %s", text[0], text[1], text[2], gamma, text[3]);
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        free(text[i]);
    return whole ? PBY_OK : pby_no_memory(err);
}

static pby_status print_accuracy(const char *name, const pby_accuracy *a, const struct terms *t, pby_error *err)
{
    char gamma[PBY_DECIMAL_SIZE];
    char *alpha = distance_text(&a->alpha), *beta = distance_text(&a->beta);
    pby_status status = alpha != NULL && beta != NULL ? PBY_OK : pby_no_memory(err);
    gamma_text(gamma, a->gamma);
    if (status == PBY_OK)
        printf("%-12s(%s, %s, %s)", name, alpha, beta, gamma);
    if (status == PBY_OK && t != NULL)
        status = print_terms(t, err);
    if (status == PBY_OK)
        putchar('\n');
    free(alpha);
    free(beta);
    return status;
}

static json_t *json_accuracy(const pby_accuracy *a, const struct terms *t)
{
    char gamma[PBY_DECIMAL_SIZE];
    gamma_text(gamma, a->gamma);
    if (t == NULL)
        return json_pack("{s:o, s:o, s:s}", "alpha", pby_distance_json(&a->alpha), "beta", pby_distance_json(&a->beta),
                         "gamma", gamma);
    return json_pack("{s:o, s:o, s:s, s:o, s:o}", "alpha", pby_distance_json(&a->alpha), "beta",
                     pby_distance_json(&a->beta), "gamma", gamma, "sigma", pby_distance_json(t->sigma), "tau",
                     pby_distance_json(t->tau));
}

/* On one line, or as a member of an object where that is not NULL. */
static pby_status tell(json_t *object, const char *name, const pby_accuracy *a, const struct terms *t, pby_error *err)
{
    if (object == NULL)
        return print_accuracy(name, a, t, err);
    return json_object_set_new(object, name, json_accuracy(a, t)) == 0 ? PBY_OK : pby_no_memory(err);
}

static pby_status tell_chance(json_t *object, const char *name, const pby_enclosure *x, const char *note,
                              const struct answer *a, pby_error *err)
{
    if (object == NULL)
        pby_print_enclosure(name, x, a->q->digits, note);
    else if (json_object_set_new(object, name, pby_json_enclosure(x, a->q->digits)) != 0)
        return pby_no_memory(err);
    return PBY_OK;
}

/* ---- of the release ------------------------------------------------------------------------------ */

static pby_status tell_noisy(json_t *object, const struct answer *a, pby_error *err)
{
    const pby_noisy_accuracy *r = &a->release;
    pby_status status = PBY_OK;
    if (r->gated)
        status = tell_chance(object, "lost", &r->lost, "the chance that a bar is hidden whose noise went farther", a,
                             err);
    if (status == PBY_OK)
        status = tell_chance(object, "chance", &r->chance, "the chance that some bar's noise goes farther", a, err);
    if (status == PBY_OK && r->gated)
        status = tell(object, "kept", &r->kept, NULL, err);
    return status == PBY_OK ? tell(object, "release", &r->release, NULL, err) : status;
}

/* Behind buckets: sigma of the identity is what it is asked at. */
static pby_status tell_dropping(json_t *object, const struct answer *a, pby_error *err)
{
    const pby_accuracy *release = &a->release.release;
    const struct terms terms = {&release->alpha, &release->alpha, &a->bucketing.beta, &a->bucketing};
    const bool bucketed = mpq_sgn(a->bucketing.beta.value) != 0;
    pby_status status = bucketed ? tell(object, "bucketing", &a->bucketing, NULL, err) : PBY_OK;
    return status == PBY_OK ? tell(object, "release", release, bucketed ? &terms : NULL, err) : status;
}

static pby_status tell_claimed(json_t *object, const struct answer *a, pby_error *err)
{
    static const char source[] = "threshold times support over n";
    if (a->q->kind != PBY_ACCURACY_DROPS)
        return PBY_OK;
    if (object != NULL)
        return json_object_set_new(object, "claimed",
                                   json_pack("{s:o, s:s}", "alpha", pby_exact_json(a->claimed), "source", source)) == 0
                   ? PBY_OK
                   : pby_no_memory(err);
    char *claimed = pby_exact_text(a->claimed);
    if (claimed == NULL)
        return pby_no_memory(err);
    printf("%-12s%s  alpha as %s\n", "claimed", claimed, source);
    free(claimed);
    return PBY_OK;
}

/* ---- of statistics ------------------------------------------------------------------------------- */

/* What a statistic stands behind: which bars are there is known better than their counts. */
static const pby_accuracy *first_of(const struct answer *a, const pby_statistic *s, pby_error_in *metric)
{
    const bool kept = a->q->kind == PBY_ACCURACY_GATED && pby_statistic_of_support(s);
    *metric = a->noisy && !kept ? PBY_ERROR_IN_COUNTS : PBY_ERROR_IN_POINTS;
    return kept ? &a->release.kept : &a->release.release;
}

static pby_status tell_statistic(json_t *object, const struct answer *a, const pby_statistic *s, pby_error *err)
{
    pby_accuracy behind;
    pby_distance zero, tau;
    pby_error_in metric;
    const pby_accuracy *first = first_of(a, s, &metric);
    pby_accuracy_init(&behind);
    pby_distance_init(&zero);
    pby_distance_init(&tau);
    const struct terms terms = {&zero, &zero, &tau, first};
    pby_accuracy_statistic(&behind, &tau, first, s, metric);
    const bool wanted = a->q->asks_statistics || !a->noisy || !tau.infinite;
    const pby_status status = wanted ? tell(object, pby_statistic_text(s->name), &behind, &terms, err) : PBY_OK;
    pby_distance_clear(&tau);
    pby_distance_clear(&zero);
    pby_accuracy_clear(&behind);
    return status;
}

static pby_status tell_statistics(json_t *object, const struct answer *a, pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t i = 0; i < a->q->statistics && status == PBY_OK; i++) {
        const pby_statistic *s = &a->q->statistic[i];
        if (a->q->asks_statistics || pby_statistic_admitted(a->q->spec, s, NULL) == PBY_OK)
            status = tell_statistic(object, a, s, err);
    }
    return status;
}

static pby_status tell_drop_move(json_t *object, const struct answer *a, pby_error *err)
{
    if (!a->q->asks_eta)
        return PBY_OK;
    pby_accuracy any;
    pby_accuracy_init(&any);
    pby_accuracy_drop_move(&any, &a->release.release, a->q->eta);
    const pby_status status = tell(object, object == NULL ? "drop-move" : "drop_move", &any, NULL, err);
    pby_accuracy_clear(&any);
    return status;
}

/* ---- all of it ----------------------------------------------------------------------------------- */

static const char *function_of(const struct answer *a)
{
    return a->q->kind == PBY_ACCURACY_HIDES ? "support" : "histogram";
}

static const char *metric_of(const struct answer *a)
{
    return a->noisy ? "the greatest difference of a count" : "how far records move, in the maximum norm";
}

static pby_status tell_release(json_t *object, const struct answer *a, pby_error *err)
{
    pby_status status = a->noisy ? tell_noisy(object, a, err) : tell_dropping(object, a, err);
    if (status == PBY_OK)
        status = tell_claimed(object, a, err);
    return status;
}

static pby_status print_text(const struct answer *a, pby_error *err)
{
    char loss[32];
    snprintf(loss, sizeof loss, "%llu", (unsigned long long)a->bar_loss);
    pby_print_line("mechanism", pby_spec_text(a->q->spec));
    pby_print_line("function", function_of(a));
    pby_print_line("distortion", "drop");
    if (!a->noisy)
        pby_print_line("bar loss", loss);
    pby_print_line("accuracy", "(alpha, beta, gamma)");
    pby_print_line("beta", metric_of(a));
    pby_status status = tell_release(NULL, a, err);
    if (status == PBY_OK)
        status = tell_statistics(NULL, a, err);
    return status == PBY_OK ? tell_drop_move(NULL, a, err) : status;
}

static pby_status print_json(const struct answer *a, pby_error *err)
{
    json_t *statistics = json_object();
    json_t *object = json_pack("{s:s, s:I, s:I, s:o, s:s, s:s, s:s}", "spec", pby_spec_text(a->q->spec), "n",
                               (json_int_t)a->q->inputs.n, "support", (json_int_t)a->q->inputs.support, "width",
                               pby_exact_json(a->q->width), "function", function_of(a), "distortion", "drop", "metric",
                               metric_of(a));
    pby_status status = object != NULL && statistics != NULL ? PBY_OK : pby_no_memory(err);
    if (status == PBY_OK && a->q->kind == PBY_ACCURACY_NOISY)
        json_object_del(object, "n");
    if (status == PBY_OK && !a->noisy && json_object_set_new(object, "bar_loss", json_integer((json_int_t)a->bar_loss)))
        status = pby_no_memory(err);
    if (status == PBY_OK)
        status = tell_release(object, a, err);
    if (status == PBY_OK)
        status = tell_statistics(statistics, a, err);
    if (status == PBY_OK && json_object_set(object, "statistics", statistics) != 0)
        status = pby_no_memory(err);
    if (status == PBY_OK)
        status = tell_drop_move(object, a, err);
    json_decref(statistics);
    if (status == PBY_OK)
        return pby_print_json(object, err);
    json_decref(object);
    return status;
}

static pby_status compute(struct answer *a, pby_error *err)
{
    const pby_accuracy_question *q = a->q;
    if (a->noisy)
        return pby_accuracy_noisy(&a->release, q->spec, &q->inputs, q->asks_beta ? q->beta : NULL,
                                  q->asks_gamma ? q->gamma : NULL, q->digits, err);
    pby_status status = pby_accuracy_release(&a->release.release, &a->bar_loss, q->spec, &q->inputs, err);
    if (status == PBY_OK)
        pby_distance_set(&a->bucketing.beta, &a->release.release.beta);
    if (status == PBY_OK && q->kind == PBY_ACCURACY_DROPS)
        status = pby_accuracy_claimed(a->claimed, q->spec, &q->inputs, err);
    return status;
}

pby_status pby_accuracy_answer(const pby_accuracy_question *q, pby_error *err)
{
    struct answer a = {.q = q, .noisy = q->kind != PBY_ACCURACY_DROPS && q->kind != PBY_ACCURACY_HIDES};
    pby_noisy_accuracy_init(&a.release);
    pby_accuracy_init(&a.bucketing);
    mpq_init(a.claimed);
    pby_status status = compute(&a, err);
    if (status == PBY_OK)
        status = q->json ? print_json(&a, err) : print_text(&a, err);
    mpq_clear(a.claimed);
    pby_accuracy_clear(&a.bucketing);
    pby_noisy_accuracy_clear(&a.release);
    return status;
}
